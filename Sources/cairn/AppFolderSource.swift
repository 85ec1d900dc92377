import CairnCore
import CairnDefinition
import CairnRuntime
import CairnServer
import Foundation
import Glibc

/// Reads the served folder at each call. A file with unchanged text is not parsed again. Any thread.
final class AppFolderSource: Sendable {
  private struct Known: Sendable {
    /// The file's text, or the reason why it could not be read.
    var text: String
    var version: Int
    var content: Result<LoadedDefinition, StartFailure>
  }

  private let folder: String
  private let limits: DefinitionLimits
  private let environment: @Sendable (String) -> String?
  private let known = Lock<[String: Known]>([:])

  init(_ folder: String, _ limits: DefinitionLimits, _ environment: @escaping @Sendable (String) -> String?) {
    self.folder = folder
    self.limits = limits
    self.environment = environment
  }

  /// For a start: all or none. Throws everything that is wrong with any of them at once.
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

  /// Throws for the first variable whose value a fact of one of them cannot take.
  func check(_ definitions: [LoadedDefinition]) throws(StartFailure) {
    for loaded in definitions { _ = try checked(loaded) }
  }

  /// While it runs: each file by itself.
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

  /// Tells of changes in it, on a thread of its own.
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
    var all: [(String, Known)] = []
    for file in try AppFolder.files(of: folder) {
      guard let found = look(file, before[file]) else { continue }
      now[file] = found
      all.append((file, found))
    }
    known.withLock { $0 = now }
    return all
  }

  /// nil: it has gone since the folder was looked at.
  private func look(_ file: String, _ before: Known?) -> Known? {
    let version = (before?.version ?? 0) + 1
    do throws(StartFailure) {
      let text = try AppFolder.text(of: file)
      if let before, before.text == text { return before }
      return Known(
        text: text, version: version,
        content: Result { () throws(StartFailure) in try AppFolder.check(text, file, limits) })
    } catch {
      var status = stat()
      guard lstat(file, &status) == 0 else { return nil }
      // No text of a definition begins like this.
      let reason = "\0\(error.text)"
      return before?.text == reason ? before : Known(text: reason, version: version, content: .failure(error))
    }
  }

  private func checked(_ loaded: LoadedDefinition) throws(StartFailure) -> LoadedDefinition {
    guard let fault = loaded.definition.fault(in: environment) else { return loaded }
    throw .environment(app: loaded.definition.app, variable: fault.variable, fault: fault.fault)
  }
}
