import CairnCore
import CairnDefinition
import CairnScenario
import Foundation

/// Reads definitions and scenarios from files and folders.
enum AppFolder {
  /// Returns the paths of all `*.yaml`, `*.yml` and `*.json` files except scenarios (`*.scenarios.yaml`) and migrations (`*.migrate.yaml`),
  /// sorted by name. Throws if there are none.
  static func files(of folder: String) throws(StartFailure) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw .noFolder(folder)
    }
    let found = names.filter { name in
      ["yaml", "yml", "json"].contains { name.hasSuffix(".\($0)") } && !name.hasPrefix(".") && !holdsScenarios(name) && !isMigration(name)
    }
    guard !found.isEmpty else { throw .noApps(folder: folder) }
    return found.map { folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)" }
  }

  /// Loads one file. Timers may be shorter than a service allows, because they run only with a manual clock.
  static func load(_ file: String) throws(StartFailure) -> LoadedDefinition {
    let text = try text(of: file)
    do {
      return try DefinitionLoader.load(file: file, text: text, limits: .manualClock)
    } catch {
      throw .definitions([error])
    }
  }

  /// Loads one file, and keeps the positions of its parts.
  static func source(_ file: String) throws(StartFailure) -> DefinitionDiff.Source {
    let loaded = try load(file)
    do {
      return DefinitionDiff.Source(loaded, root: try Document.read(file: file, text: try text(of: file)))
    } catch let error as StartFailure {
      throw error
    } catch {
      throw .tool("\(error)")
    }
  }

  /// Loads one file and its warnings.
  static func check(_ file: String, _ limits: DefinitionLimits) throws(StartFailure) -> LoadedDefinition {
    try check(try text(of: file), file, limits)
  }

  /// Loads a definition and its warnings from the text of a file.
  static func check(_ text: String, _ file: String, _ limits: DefinitionLimits) throws(StartFailure) -> LoadedDefinition {
    do {
      return try DefinitionLoader.check(file: file, text: text, limits: limits)
    } catch {
      throw .definitions([error])
    }
  }

  /// Whether a file contains scenarios, according to its name.
  static func holdsScenarios(_ file: String) -> Bool { file.contains(".scenarios.") }

  /// Whether a file is a migration document, according to its name.
  static func isMigration(_ file: String) -> Bool { file.contains(".migrate.") }

  /// Reads the scenarios of a file.
  static func scenarios(_ file: String) throws(StartFailure) -> ScenarioFile {
    let text = try text(of: file)
    do {
      return try ScenarioReader.read(file: file, text: text)
    } catch {
      throw .definitions([error])
    }
  }

  /// Reads the text of a file. Throws unless it is UTF-8 and within the size limit of a document. A larger file is not read as a whole.
  static func text(of file: String) throws(StartFailure) -> String {
    do {
      let bytes = try FileBytes.read(file, atMost: Document.sizeLimit)
      if let text = bytes.flatMap({ String(validating: $0, as: UTF8.self) }) { return text }
      if bytes == nil { throw StartFailure.definitions([Document.tooLarge(file: file, size: FileBytes.size(of: file))]) }
    } catch let failure as StartFailure {
      throw failure
    } catch {}
    let isThere = FileManager.default.fileExists(atPath: file)
    throw .unreadable(file: file, reason: isThere ? "it is not a file, not in UTF-8, or its permissions deny access" : "it does not exist")
  }
}
