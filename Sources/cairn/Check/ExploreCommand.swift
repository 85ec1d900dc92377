import ArgumentParser
import CairnCore
import CairnDefinition
import CairnExplore
import CairnScenario
import Foundation
import Glibc

/// `cairn explore FILE`: explores all states of an app.
struct ExploreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore",
    abstract: "Explores the states of an app, and reports mistakes.",
    discussion: """
      Explores the states that an app can reach, and reports probable mistakes in its definition: states without a way out; screens, \
      branches of handlers and links that no action reaches; nodes that are added without end; loops of steps; dropped steps; actions \
      that a state lists as accepted but refuses; and claims of scenario files that are false. Prints the shortest way to each finding as \
      a scenario for cairn test.

      Exits with 0 if there are no findings, with 1 if there are, and with 2 if a file is invalid.
      """)

  @Argument(help: ArgumentHelp("A definition in YAML or JSON, or a folder with app.yaml.", valueName: "file"))
  var file: String

  @Option(
    help: ArgumentHelp(
      "A scenario file with claims; its `given` sets the token, facts and environment at the start. Repeatable.", valueName: "file"))
  var claims: [String] = []

  @Option(help: ArgumentHelp("Writes a small set of scenarios that together cover every transition to this file.", valueName: "file"))
  var cover: String?

  @Option(help: ArgumentHelp("Writes the shortest way to each finding to this file, as a scenario.", valueName: "file"))
  var write: String?

  @Option(
    help: ArgumentHelp(
      "Finds only the states that cannot move to a new definition. The file is a migration document, or the new definition itself.",
      valueName: "file"))
  var migrate: String?

  @Flag(
    help:
      "Also tries what users do without a network: in each state, the user's queued actions arrive after an entry that others or the service add."
  )
  var offline = false

  @Option(help: ArgumentHelp("Maximum number of actions in a queue of --offline.", valueName: "number"))
  var queue = 2

  @Option(help: ArgumentHelp("Maximum number of states to explore.", valueName: "number"))
  var states = Limits().states

  @Option(
    help: ArgumentHelp(
      "Maximum number of nodes on a stack, and of modals on top of one another. The limit for all nodes of a state is 25 times this number.",
      valueName: "number"))
  var depth = Limits().depth

  @Option(help: ArgumentHelp("Maximum number of timers and loads in progress in a state.", valueName: "number"))
  var effects = Limits().effects

  @Option(help: ArgumentHelp("Maximum number of queued modals in a state.", valueName: "number"))
  var waiting = Limits().waiting

  @Option(help: ArgumentHelp("Maximum number of held links in a state.", valueName: "number"))
  var held = Limits().held

  @Option(
    help: ArgumentHelp("Maximum duration of the exploration. (default: no limit)", valueName: "duration"),
    transform: ExploreCommand.duration)
  var time: Int?

  @Option(help: ArgumentHelp("Number of threads. (default: one per core)", valueName: "number"))
  var threads: Int?

  private static func duration(_ text: String) throws -> Int {
    guard let milliseconds = DurationText.milliseconds(text), milliseconds >= 1 else {
      throw ValidationError("it must be a duration such as 30s, not \"\(text)\"")
    }
    return milliseconds
  }

  func validate() throws {
    if migrate != nil, offline { throw ValidationError("--offline needs a single definition; omit --migrate") }
    if migrate != nil, cover != nil { throw ValidationError("--cover needs a single definition; omit --migrate") }
    for (name, number) in [
      ("states", states), ("depth", depth), ("effects", effects), ("waiting", waiting), ("held", held), ("threads", threads ?? 1),
      ("queue", queue),
    ] where number < 1 {
      throw ValidationError("--\(name) must be at least 1")
    }
  }

  func run() throws {
    let found: Exploration
    do throws(StartFailure) {
      found = try explored()
      try report(found)
    } catch {
      Terminal.complain(error.text)
      throw ExitCode(2)
    }
    if !found.findings.isEmpty { throw ExitCode(1) }
  }

  private func explored() throws(StartFailure) -> Exploration {
    let definition = try AppFolder.load(file).definition
    var claims: [Claim] = []
    var given = Start()
    for file in self.claims {
      let scenarios = try AppFolder.scenarios(file)
      given.accessToken = scenarios.given.accessToken ?? given.accessToken
      given.facts.merge(scenarios.given.facts) { _, new in new }
      given.environment.merge(scenarios.given.environment) { _, new in new }
      guard let element = scenarios.claims else { continue }
      do {
        claims += try DefinitionLoader.claims(element, about: definition, file: file)
      } catch {
        throw .definitions([error])
      }
    }
    let migration = try migrate.map { path throws(StartFailure) in
      let file = AppFolder.isMigration(path) ? try MigrationFile(path, old: self.file) : try MigrationFile(nil, from: self.file, to: path)
      return (to: file.new.loaded.definition, by: file.loaded.migration)
    }
    var limits = Limits()
    (limits.states, limits.depth, limits.effects, limits.time) = (states, depth, effects, time)
    limits.threads = threads ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    (limits.waiting, limits.held, limits.queue) = (waiting, held, offline ? queue : 0)
    let progress = ProgressLine()
    defer { progress.end() }
    do {
      return try Exploration.of(
        definition, claims: claims, given: given, limits: limits, covers: cover != nil, migration: migration,
        report: progress.showExploration)
    } catch {
      throw .thread(error)
    }
  }

  private func report(_ found: Exploration) throws(StartFailure) {
    for finding in found.findings {
      Terminal.print("\(file): \(finding.kind.rawValue): \(finding.text)")
      if let scenario = finding.scenario {
        Terminal.print(scenario.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
      }
    }
    for line in found.unknown { Terminal.print("\(file): not known: \(line)") }
    Terminal.print("\(file): \(found.summary)")
    if let write { try save(found.findings.compactMap(\.scenario), to: write) }
    if let cover { try save(found.cover, to: cover) }
  }

  private func save(_ cases: [String], to path: String) throws(StartFailure) {
    let folder = URL(filePath: path).deletingLastPathComponent().standardizedFileURL
    let own = URL(filePath: file).way(from: folder)
    let text: String
    if let migrate {
      let isDocument = AppFolder.isMigration(migrate)
      let new = isDocument ? try MigrationFile.target(of: migrate) : migrate
      text = ScenarioText.file(
        app: URL(filePath: new).way(from: folder),
        migration: .init(old: own, document: isDocument ? URL(filePath: migrate).way(from: folder) : nil), cases: cases)
    } else {
      text = ScenarioText.file(app: own, cases: cases)
    }
    do {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw .tool("cairn: \(path) cannot be written: \(error.localizedDescription)")
    }
  }
}

extension URL {
  /// The path of this file relative to a folder.
  fileprivate func way(from folder: URL) -> String {
    let own = standardizedFileURL.pathComponents
    let base = folder.pathComponents
    let shared = zip(own, base).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: base.count - shared) + own[shared...]).joined(separator: "/")
  }
}
