import CairnCore
import CairnDefinition
import CairnScenario
import Foundation

/// The definitions of a folder.
enum AppFolder {
  /// Every `*.yaml`, `*.yml` and `*.json` that holds no scenarios (`*.scenarios.yaml`), by name.
  static func files(of folder: String) throws(StartFailure) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw .unreadable(file: folder, reason: "it is not there, is not a folder, or may not be read")
    }
    let found = names.filter { name in
      ["yaml", "yml", "json"].contains { name.hasSuffix(".\($0)") } && !name.hasPrefix(".") && !holdsScenarios(name)
    }
    guard !found.isEmpty else { throw .noApps(folder: folder) }
    return found.map { folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)" }
  }

  /// One file. Timers may be as short as they like: only a manual clock runs them.
  static func load(_ file: String) throws(StartFailure) -> LoadedDefinition {
    let text = try text(of: file)
    do {
      return try DefinitionLoader.load(file: file, text: text, limits: .manualClock)
    } catch {
      throw .definitions([error])
    }
  }

  /// One file, with all that is doubtful in it.
  static func check(_ file: String, _ limits: DefinitionLimits) throws(StartFailure) -> LoadedDefinition {
    try check(try text(of: file), file, limits)
  }

  /// The text of one, with all that is doubtful in it.
  static func check(_ text: String, _ file: String, _ limits: DefinitionLimits) throws(StartFailure) -> LoadedDefinition {
    do {
      return try DefinitionLoader.check(file: file, text: text, limits: limits)
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
}
