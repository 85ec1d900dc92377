package import CairnCore

/// A definition with the hash that identifies it and the canonical text that the database keeps.
package final class PinnedDefinition: Sendable {
  /// Lower-case hex of SHA-256 over `text`.
  package let hash: String
  /// JSON, keys sorted.
  package let text: String
  package let definition: Definition
  package let reducer: Reducer
  /// The warnings of the file that it was read from; `nil` if it was not read from a file. Not part of the definition's identity: the
  /// canonical text has no lines.
  package let doubts: [Doubt]?

  package init(hash: String, text: String, definition: Definition, doubts: [Doubt]? = nil) {
    self.hash = hash
    self.text = text
    self.definition = definition
    self.reducer = Reducer(definition)
    self.doubts = doubts
  }

  /// The same, read from a file with other lines.
  package init(_ same: PinnedDefinition, doubts: [Doubt]?) {
    hash = same.hash
    text = same.text
    definition = same.definition
    reducer = same.reducer
    self.doubts = doubts
  }

  /// One thing that is doubtful.
  package struct Doubt: Hashable, Sendable {
    package var message: String
    /// From 1, as the column, which counts Unicode scalars.
    package var line: Int
    package var column: Int

    package init(_ message: String, line: Int, column: Int) {
      self.message = message
      self.line = line
      self.column = column
    }
  }
}
