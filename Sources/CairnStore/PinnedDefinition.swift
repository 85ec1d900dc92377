package import CairnCore

/// A definition with the hash that identifies it and the canonical text that the database keeps.
package final class PinnedDefinition: Sendable {
  /// Lower-case hex of SHA-256 over `text`.
  package let hash: String
  /// JSON, keys sorted.
  package let text: String
  package let definition: Definition
  package let reducer: Reducer

  package init(hash: String, text: String, definition: Definition) {
    self.hash = hash
    self.text = text
    self.definition = definition
    self.reducer = Reducer(definition)
  }
}
