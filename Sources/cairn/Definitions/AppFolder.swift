import CairnCore
import CairnDefinition
import CairnScenario
import Foundation

/// Reads definitions and scenarios from files and folders.
enum AppFolder {
  /// Returns the sorted paths of the definitions in a folder. These are the `*.yaml`, `*.yml` and `*.json` files, and the main files of its
  /// subfolders. Scenarios (`*.scenarios.yaml`) and migrations (`*.migrate.yaml`) are excluded. Throws if the folder contains no
  /// definitions. The files may include one another.
  static func files(of folder: String) throws(StartFailure) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw .noFolder(folder)
    }
    let found = names.compactMap { name -> String? in
      guard !name.hasPrefix("."), Document.kind(of: name) == .definition else { return nil }
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      return mainFile(in: path) ?? (["yaml", "yml", "json"].contains { name.hasSuffix(".\($0)") } ? path : nil)
    }
    guard !found.isEmpty else { throw .noApps(folder: folder) }
    return found
  }

  /// Returns the path of the main file of a folder that is one definition; `nil` if the folder has no main file, or if no folder exists at
  /// the path.
  static func mainFile(in folder: String) -> String? {
    guard isFolder(folder) else { return nil }
    let path = (folder.hasSuffix("/") ? folder : folder + "/") + DefinitionSource.mainFile
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// Returns the path of the main file of a definition. `path` is a file, or a folder with `app.yaml`. Throws if a folder has no
  /// `app.yaml`.
  static func mainFile(of path: String) throws(StartFailure) -> String {
    guard isFolder(path) else { return path }
    guard let main = mainFile(in: path) else {
      throw .unreadable(file: path, reason: "the folder has no app.yaml; name a file, or write the definition's main file app.yaml")
    }
    return main
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Reads a definition with the files that it includes. `path` is a file, or a folder with `app.yaml`.
  static func read(_ path: String) throws(StartFailure) -> DefinitionSource {
    let file = try mainFile(of: path)
    return DefinitionSource(file: file, text: try text(of: file), in: DiskFolder(of: file))
  }

  /// Loads a definition. Timers may be shorter than a service allows, because they run only with a manual clock.
  static func load(_ path: String) throws(StartFailure) -> LoadedDefinition { try load(try read(path)) }

  private static func load(_ source: DefinitionSource) throws(StartFailure) -> LoadedDefinition {
    do {
      return try DefinitionLoader.load(source, limits: .manualClock)
    } catch {
      throw .definitions([error])
    }
  }

  /// Loads a definition with the positions of its parts.
  static func source(_ path: String) throws(StartFailure) -> DefinitionDiff.Source {
    let source = try read(path)
    let loaded = try load(source)
    guard let root = source.root else { throw .tool("\(path): cannot be parsed") }
    return DefinitionDiff.Source(loaded, root: root)
  }

  /// Loads a definition and its warnings.
  static func check(_ path: String, _ limits: DefinitionLimits) throws(StartFailure) -> LoadedDefinition {
    try check(try read(path), limits)
  }

  /// Loads a parsed definition and its warnings.
  static func check(_ source: DefinitionSource, _ limits: DefinitionLimits) throws(StartFailure) -> LoadedDefinition {
    do {
      return try DefinitionLoader.check(source, limits: limits)
    } catch {
      throw .definitions([error])
    }
  }

  /// Whether a file contains scenarios, according to its name.
  static func holdsScenarios(_ file: String) -> Bool { Document.kind(of: file) == .scenarios }

  /// Whether a file is a migration document, according to its name.
  static func isMigration(_ file: String) -> Bool { Document.kind(of: file) == .migration }

  /// Reads the scenarios of a file.
  static func scenarios(_ file: String) throws(StartFailure) -> ScenarioFile {
    let text = try text(of: file)
    do {
      return try ScenarioReader.read(file: file, text: text)
    } catch {
      throw .definitions([error])
    }
  }

  /// Reads the text of a file. Throws unless the text is UTF-8 and within the size limit of a document. A larger file is not read as a
  /// whole.
  static func text(of file: String) throws(StartFailure) -> String {
    do {
      let bytes = try FileBytes.read(file, atMost: Document.sizeLimit)
      if let text = bytes.flatMap({ String(validating: $0, as: UTF8.self) }) { return text }
      if bytes == nil { throw StartFailure.definitions([Document.tooLarge(file: file, size: FileBytes.size(of: file))]) }
    } catch let failure as StartFailure {
      throw failure
    } catch {}
    if isFolder(file) { throw .unreadable(file: file, reason: "it is a folder; name a file in it") }
    let isThere = FileManager.default.fileExists(atPath: file)
    throw .unreadable(
      file: file, reason: isThere ? "it is not a file, is not in UTF-8, or its permissions deny access" : "it does not exist")
  }
}
