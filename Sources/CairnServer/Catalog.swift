import CairnCore
package import CairnDefinition
import CairnRuntime
package import CairnStore

/// The apps that sessions can be started of, and with what. Exchanged as a whole while the service runs: who looks sees what was or what is, never
/// a part of each. Any thread.
package final class Catalog: Sendable {
  private let current: Lock<Shelf>

  /// One definition per app; of two for the same app the last counts.
  package init(_ definitions: [PinnedDefinition] = []) { current = Lock(Shelf(definitions)) }

  /// The definition for new sessions of an app; `nil` if the app is not served.
  package subscript(app: String) -> PinnedDefinition? { current.withLock { $0.served[app] } }

  /// The apps' names, sorted.
  package var names: [String] { current.withLock { $0.names } }

  /// All of it, as it is now.
  var shelf: Shelf { current.withLock { $0 } }

  /// From now on this is served. One thread does that.
  func replace(with shelf: Shelf) { current.withLock { $0 = shelf } }
}

extension PinnedDefinition {
  /// A definition from the database, as sessions are pinned to it; its canonical text has no lines to refer to.
  package convenience init(stored: LoadedDefinition) {
    self.init(hash: stored.hash, text: stored.canonical, definition: stored.definition)
  }

  /// A definition from a file or a body, as sessions are pinned to it.
  package convenience init(_ loaded: LoadedDefinition) {
    self.init(hash: loaded.hash, text: loaded.canonical, definition: loaded.definition, doubts: loaded.doubts)
  }
}

extension LoadedDefinition {
  /// The warnings about its text.
  var doubts: [PinnedDefinition.Doubt] { warnings.map { .init($0.message, line: $0.line, column: $0.column) } }
}
