import CairnCore
import CairnDefinition
import CairnRuntime
import CairnServer
import Foundation
import Glibc

/// Reads the served folder at each call. A definition with unchanged texts is not checked again. Thread-safe.
final class AppFolderSource: Sendable {
  private struct Known: Sendable {
    /// The texts of the definition, or the reason why its file could not be read.
    var texts: Result<DefinitionSource.Texts, StartFailure>
    /// Whether the file declares no app. The file is then part of another definition, or invalid.
    var isPart: Bool
    var version: Int
    var content: Result<LoadedDefinition, StartFailure>
  }

  /// The path of the folder, or of a single definition.
  private let folder: String
  private let limits: DefinitionLimits
  private let environment: @Sendable (String) -> String?
  private let known = Lock<[String: Known]>([:])

  init(_ folder: String, _ limits: DefinitionLimits, _ environment: @escaping @Sendable (String) -> String?) {
    self.folder = folder
    self.limits = limits
    self.environment = environment
  }

  /// Loads all definitions when the service starts. Throws if a file is unreadable or invalid, or if two files define the same app. The
  /// error for invalid files lists the faults of all invalid files.
  func load() throws(StartFailure) -> [LoadedDefinition] {
    var loaded: [(file: String, definition: LoadedDefinition)] = []
    var invalid: [InvalidDefinition] = []
    for (file, found) in try look() {
      switch found.content {
      case .success(let definition): loaded.append((file, definition))
      case .failure(.definitions(let found)): invalid += found
      case .failure(let failure): throw failure
      }
    }
    guard invalid.isEmpty else { throw .definitions(invalid) }
    for (app, group) in Dictionary(grouping: loaded, by: \.definition.definition.app) where group.count > 1 {
      throw .sameApp(app: app, files: group.map(\.file))
    }
    return loaded.map(\.definition)
  }

  /// Throws for the first environment variable whose value does not fit a fact of a definition.
  func check(_ definitions: [LoadedDefinition]) throws(StartFailure) {
    for loaded in definitions { _ = try checked(loaded) }
  }

  /// Reads the folder while the service runs. A fault in one file does not affect the others.
  func read() -> FolderReading {
    do throws(StartFailure) {
      return FolderReading(
        try look().map { file, found in
          let content = Result { () throws(StartFailure) in try checked(try found.content.get()) }
          return FolderReading.File(file, version: found.version, content.mapError { .init($0.text.components(separatedBy: "\n")) })
        })
    } catch {
      return FolderReading(fault: error.text)
    }
  }

  /// Watches the folder, and calls `changed` on another thread after each change.
  func watch(_ changed: @escaping @Sendable () -> Void) throws(StartFailure) -> FolderWatch {
    let path = folder.hasPrefix("/") ? folder : "\(FileManager.default.currentDirectoryPath)/\(folder)"
    do {
      return try FolderWatch(path, changed: changed)
    } catch {
      throw .notWatched(folder: folder, error)
    }
  }

  private func look() throws(StartFailure) -> [(file: String, found: Known)] {
    let before = known.withLock { $0 }
    var now: [String: Known] = [:]
    var all: [(file: String, found: Known)] = []
    for file in try files() {
      guard let found = look(file, before[file]) else { continue }
      now[file] = found
      all.append((file, found))
    }
    known.withLock { $0 = now }
    // A file that another file includes is not an app, unless the included file declares an app.
    let included = Set(all.flatMap { (try? $0.found.texts.get().parts) ?? [] }.map(\.file))
    return all.filter { !($0.found.isPart && included.contains($0.file)) }
  }

  /// Returns the path of the single definition, or the paths of the folder's main files and of the files beside them that may be included.
  private func files() throws(StartFailure) -> [String] {
    let isFile = FileManager.default.fileExists(atPath: folder) && !AppFolder.isFolder(folder)
    return isFile ? [folder] : try AppFolder.files(of: folder)
  }

  /// Reads the texts of a definition, and checks the definition unless its texts are unchanged. Returns `nil` if the file has been deleted
  /// since the folder was listed.
  private func look(_ file: String, _ before: Known?) -> Known? {
    let version = (before?.version ?? 0) + 1
    do throws(StartFailure) {
      let text = try AppFolder.text(of: file)
      let old = try? before?.texts.get()
      // A text without `include` needs no other file, so it need not be parsed to be compared.
      if let before, let old, old.text == text, !old.isDivided { return before }
      let source = DefinitionSource(file: file, text: text, in: DiskFolder(of: file))
      if let before, old == source.texts { return before }
      return Known(
        texts: .success(source.texts), isPart: source.isPart, version: version,
        content: Result { () throws(StartFailure) in try AppFolder.check(source, limits) })
    } catch {
      var status = stat()
      guard lstat(file, &status) == 0 else { return nil }
      if let before, case .failure(let reason) = before.texts, reason.text == error.text { return before }
      return Known(texts: .failure(error), isPart: false, version: version, content: .failure(error))
    }
  }

  private func checked(_ loaded: LoadedDefinition) throws(StartFailure) -> LoadedDefinition {
    guard let fault = loaded.definition.fault(in: environment) else { return loaded }
    throw .environment(app: loaded.definition.app, variable: fault.variable, fault: fault.fault)
  }
}
