import CairnCore
package import CairnDefinition
package import CairnStore

/// The apps that sessions can be started of, as they were read at the start.
package struct Catalog: Sendable {
  private let byApp: [String: PinnedDefinition]

  /// One definition an app; of two for the same app the last counts.
  package init(_ definitions: [PinnedDefinition]) {
    byApp = Dictionary(definitions.map { ($0.definition.app, $0) }) { _, last in last }
  }

  package subscript(app: String) -> PinnedDefinition? { byApp[app] }

  /// Their names, sorted.
  package var names: [String] { byApp.keys.sorted() }
}

extension PinnedDefinition {
  /// What was read, as sessions are pinned to it.
  package convenience init(_ loaded: LoadedDefinition) {
    let doubts = loaded.isStored ? nil : loaded.warnings.map { Doubt($0.message, line: $0.line, column: $0.column) }
    self.init(hash: loaded.hash, text: loaded.canonical, definition: loaded.definition, doubts: doubts)
  }
}
