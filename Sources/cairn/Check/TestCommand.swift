import ArgumentParser
import CairnCore
import CairnDefinition
import CairnScenario
import Foundation

/// `cairn test FILE…`: runs scenario files with a manual clock, in process or against a running service.
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Runs scenarios and prints every failed expectation.",
    discussion: """
      Each file names its definition in `app:`. With --against the scenarios are played over HTTP on sessions of a running service, which
      must serve the same definitions. This needs an operator's key. The sessions are deleted afterwards.

      Exits with 0 if every scenario passes, with 1 if one fails or a file is invalid, and with 2 if the JUnit file cannot be written.
      """)

  @Argument(help: ArgumentHelp("Scenario files.", valueName: "file"))
  var files: [String]

  @Option(help: ArgumentHelp("Also writes the results to this file, as JUnit XML.", valueName: "file"))
  var junit: String?

  @Flag(name: .customLong("print"), help: "Prints the tree after the start and after each event of each scenario.")
  var isPrinting = false

  @Option(help: ArgumentHelp("URL of a running service that plays the scenarios, such as http://127.0.0.1:8080.", valueName: "url"))
  var against: String?

  @Option(help: ArgumentHelp("An operator's key of that service. (default: CAIRN_OPERATOR_KEY)", valueName: "key"))
  var key: String?

  func run() throws {
    let client = try client()
    var report = JUnitReport()
    var passed = 0
    var failed = 0
    for file in files {
      do throws(StartFailure) {
        let results = try self.results(of: file, on: client)
        report.add(results, file: file)
        passed += results.filter { $0.failure == nil }.count
        for result in results {
          guard let failure = result.failure else { continue }
          failed += 1
          let differences = failure.differences.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
          Terminal.print("\(file):\(failure.line): \(result.scenario.title)\n" + differences.map { "    \($0)" }.joined(separator: "\n"))
        }
      } catch {
        failed += 1
        Terminal.print(diagnostics: error.text)
      }
    }
    if let junit {
      do {
        try report.text.write(toFile: junit, atomically: true, encoding: .utf8)
      } catch {
        Terminal.complain("cairn: \(junit) cannot be written; name another file with --junit")
        throw ExitCode(2)
      }
    }
    Terminal.print("\(passed) passed, \(failed) failed")
    if failed > 0 { throw ExitCode(1) }
  }

  /// Returns the client of the service; `nil` if the scenarios run in process.
  private func client() throws -> ServiceClient? {
    guard let against else { return nil }
    guard let url = URL(string: against), let scheme = url.scheme, ["http", "https"].contains(scheme), url.host() != nil else {
      throw ValidationError("--against must be a URL such as http://127.0.0.1:8080, not \"\(against)\"")
    }
    guard let key = key ?? ProcessInfo.processInfo.environment["CAIRN_OPERATOR_KEY"], !key.isEmpty else {
      throw ValidationError("--against needs an operator's key: --key, or CAIRN_OPERATOR_KEY")
    }
    let text = against.hasSuffix("/") ? String(against.dropLast()) : against
    return URL(string: text).map { ServiceClient(base: $0, key: key) }
  }

  private func results(of file: String, on client: ServiceClient?) throws(StartFailure) -> [ScenarioResult] {
    let scenarios = try AppFolder.scenarios(file)
    let folder = URL(filePath: file).deletingLastPathComponent()
    let app = folder.appending(path: scenarios.app).path
    let loaded = try AppFolder.load(app)
    if let client { try Self.check(loaded, on: client) }
    var migrations: [String: MigrationFile] = [:]
    for name in Set(scenarios.scenarios.compactMap(\.given.definition)).sorted() {
      guard client == nil else { throw .tool("\(file): scenarios of a migration cannot be played on a service; omit --against") }
      migrations[name] = try MigrationFile(
        scenarios.migration.map { folder.appending(path: $0).path }, from: folder.appending(path: name).path, to: app)
    }
    return scenarios.scenarios.map { scenario in
      if let migration = scenario.given.definition.flatMap({ migrations[$0] }) {
        var run = ScenarioRun(loaded.definition, from: migration.old.loaded.definition, by: migration.loaded.migration)
        return play(scenario, on: &run)
      }
      guard let client else {
        var run = ScenarioRun(loaded.definition)
        return play(scenario, on: &run)
      }
      var player = ServicePlayer(client, loaded.definition)
      defer { player.end() }
      return play(scenario, on: &player)
    }
  }

  /// Plays a scenario, and prints the trees if they are requested.
  private func play(_ scenario: Scenario, on player: inout some Player) -> ScenarioResult {
    guard isPrinting else { return ScenarioResult(scenario: scenario, failure: scenario.play(on: &player)) }
    Terminal.print(scenario.title + (scenario.after.map { " (after: \($0))" } ?? ""))
    var printing = PrintingPlayer(player)
    defer { player = printing.base }
    return ScenarioResult(scenario: scenario, failure: scenario.play(on: &printing))
  }

  /// Throws if the service has another definition of the app, because the results would be misleading. Also throws if the key is not an
  /// operator key.
  private static func check(_ loaded: LoadedDefinition, on client: ServiceClient) throws(StartFailure) {
    let app = loaded.definition.app
    let mine = try client.send("GET", "/v1/sessions?limit=1")
    guard mine.status == 200 else {
      throw .tool("\(client.base.absoluteString) did not list its sessions (status \(mine.status)); check that the key is an operator's")
    }
    let answer = try client.send("GET", "/v1/apps/\(app)")
    guard answer.status == 200 else {
      throw .tool("\(client.base.absoluteString) has no app \(app) (status \(answer.status)); publish its definition first")
    }
    guard answer.body["definition"] == .string(loaded.hash) else {
      throw .tool(
        "\(client.base.absoluteString) has a different definition of \(app) than the file; publish the definition of the file first")
    }
  }
}
