import CairnCore
package import CairnDefinition
package import CairnJournal
import CairnRuntime

/// The apps for which sessions can be created, and their definitions. The content is replaced as a whole while the service runs, so that a
/// reader never sees a part of a change. Thread-safe.
package final class Catalog: Sendable {
  private let current: Lock<Shelf>

  /// Creates a catalog that serves these definitions. If two definitions have the same app, the last one is served.
  package init(_ definitions: [PinnedDefinition] = []) { current = Lock(Shelf(definitions)) }

  /// The definition for new sessions of an app; `nil` if the app is not served.
  package subscript(app: String) -> PinnedDefinition? { current.withLock { $0.served[app] } }

  /// The apps' names, sorted.
  package var names: [String] { current.withLock { $0.names } }

  /// The current definitions and their origins, as one value.
  var shelf: Shelf { current.withLock { $0 } }

  /// Replaces the entire content. Only one thread calls this at a time.
  func replace(with shelf: Shelf) { current.withLock { $0 = shelf } }
}

extension PinnedDefinition {
  /// Pins a definition from the database. Its warnings have no lines, because the canonical text has no file.
  package convenience init(stored: LoadedDefinition) {
    self.init(hash: stored.hash, text: stored.canonical, definition: stored.definition)
  }

  /// Pins a definition from a file or a request's body.
  package convenience init(_ loaded: LoadedDefinition) {
    self.init(hash: loaded.hash, text: loaded.canonical, definition: loaded.definition, doubts: loaded.doubts)
  }
}

extension LoadedDefinition {
  /// The warnings about the definition's texts. Their paths are relative to the definition's folder, because every client may read the
  /// warnings.
  var doubts: [PinnedDefinition.Doubt] {
    warnings.map { warning in
      guard let folder, warning.file.hasPrefix(folder) else { return .init(warning.message, line: warning.line, column: warning.column) }
      let message = folder.isEmpty ? warning.message : warning.message.replacing(folder, with: "")
      return .init(message, file: String(warning.file.dropFirst(folder.count)), line: warning.line, column: warning.column)
    }
  }
}
