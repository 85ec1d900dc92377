import CairnCore
package import CairnDefinition
import CairnRuntime
package import CairnStore

/// The apps of which sessions can be created, with their definitions. The whole catalog is replaced at once while the service runs, so readers see
/// either the old or the new one. Any thread.
package final class Catalog: Sendable {
  private let current: Lock<Shelf>

  /// Creates a catalog with one definition per app. If there are two for an app, the last one counts.
  package init(_ definitions: [PinnedDefinition] = []) { current = Lock(Shelf(definitions)) }

  /// The definition for new sessions of an app; `nil` if the app is not served.
  package subscript(app: String) -> PinnedDefinition? { current.withLock { $0.served[app] } }

  /// The apps' names, sorted.
  package var names: [String] { current.withLock { $0.names } }

  /// The current contents.
  var shelf: Shelf { current.withLock { $0 } }

  /// Replaces the contents. Only one thread may call this.
  func replace(with shelf: Shelf) { current.withLock { $0 = shelf } }
}

extension PinnedDefinition {
  /// A definition from the database. Its canonical text has no lines that warnings could refer to.
  package convenience init(stored: LoadedDefinition) {
    self.init(hash: stored.hash, text: stored.canonical, definition: stored.definition)
  }

  /// A definition from a file or a request body.
  package convenience init(_ loaded: LoadedDefinition) {
    self.init(hash: loaded.hash, text: loaded.canonical, definition: loaded.definition, doubts: loaded.doubts)
  }
}

extension LoadedDefinition {
  /// The warnings of the definition.
  var doubts: [PinnedDefinition.Doubt] { warnings.map { .init($0.message, line: $0.line, column: $0.column) } }
}
