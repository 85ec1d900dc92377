import CairnCore
import CairnDefinition
import CairnScenario
import Foundation

/// The definitions of a folder.
enum AppFolder {
  /// Every `*.yaml`, `*.yml` and `*.json` that holds no scenarios (`*.scenarios.yaml`), by name. All or none: everything that is wrong with any of them is thrown at once.
  static func load(all folder: String, shortestTimer: Int, longestLoad: Int) throws(StartFailure) -> [LoadedDefinition] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw .unreadable(file: folder, reason: "it is not there, is not a folder, or may not be read")
    }
    var loaded: [(file: String, definition: LoadedDefinition)] = []
    var invalid: [InvalidDefinition] = []
    for name in names
    where ["yaml", "yml", "json"].contains(where: { name.hasSuffix(".\($0)") }) && !name.hasPrefix(".")
      && !holdsScenarios(name)
    {
      let file = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      do {
        loaded.append((file, try check(file, shortestTimer: shortestTimer, longestLoad: longestLoad)))
      } catch .definitions(let found) {
        invalid += found
      }
    }
    guard invalid.isEmpty else { throw .definitions(invalid) }
    guard !loaded.isEmpty else { throw .noApps(folder: folder) }
    for (app, group) in Dictionary(grouping: loaded, by: \.definition.definition.app) where group.count > 1 {
      throw .sameApp(app: app, files: group.map(\.file))
    }
    return loaded.map(\.definition)
  }

  /// One file. `shortestTimer`: in milliseconds; 0 where no clock but a manual one runs them.
  static func load(
    _ file: String, shortestTimer: Int = 0, longestLoad: Int = DefinitionLoader.longestLoad
  ) throws(StartFailure) -> LoadedDefinition {
    let text = try text(of: file)
    do {
      return try DefinitionLoader.load(file: file, text: text, shortestTimer: shortestTimer, longestLoad: longestLoad)
    } catch {
      throw .definitions([error])
    }
  }

  /// One file, with all that is doubtful in it.
  static func check(_ file: String, shortestTimer: Int, longestLoad: Int) throws(StartFailure) -> LoadedDefinition {
    let text = try text(of: file)
    do {
      return try DefinitionLoader.check(file: file, text: text, shortestTimer: shortestTimer, longestLoad: longestLoad)
    } catch {
      throw .definitions([error])
    }
  }

  /// Whether a file is one of scenarios, by its name.
  static func holdsScenarios(_ file: String) -> Bool { file.contains(".scenarios.") }

  /// The scenarios of a file.
  static func scenarios(_ file: String) throws(StartFailure) -> ScenarioFile {
    let text = try text(of: file)
    do {
      return try ScenarioReader.read(file: file, text: text)
    } catch {
      throw .definitions([error])
    }
  }

  /// A file's text.
  static func text(of file: String) throws(StartFailure) -> String {
    do {
      return try String(contentsOfFile: file, encoding: .utf8)
    } catch {
      let isThere = FileManager.default.fileExists(atPath: file)
      throw .unreadable(file: file, reason: isThere ? "it must be a file in UTF-8 that may be read" : "it is not there")
    }
  }

  /// Throws for the first variable whose value a fact cannot take: better now than at every session's start.
  static func check(_ definitions: [LoadedDefinition], _ environment: (String) -> String?) throws(StartFailure) {
    for definition in definitions.map(\.definition) {
      for fact in definition.facts.values.sorted(by: { ($0.environment ?? "") < ($1.environment ?? "") }) {
        guard let variable = fact.environment, let text = environment(variable) else { continue }
        if let fault = fact.type.fault(of: fact.type.read(text)) {
          throw .environment(app: definition.app, variable: variable, fault: fault)
        }
      }
    }
  }
}
