package import CairnCore
import CairnRuntime

/// A definition with its hash and its canonical text, as stored in the database.
package final class PinnedDefinition: Sendable {
  /// The SHA-256 of `text` in lower-case hexadecimal digits.
  package let hash: String
  /// Canonical JSON with sorted keys.
  package let text: String
  package let definition: Definition
  package let reducer: Reducer
  /// The warnings for the file that the definition was read from; `nil` if it was not read from a file. They are not part of the definition's
  /// identity, because the canonical text has no lines.
  package let doubts: [Doubt]?

  package init(hash: String, text: String, definition: Definition, doubts: [Doubt]? = nil) {
    self.hash = hash
    self.text = text
    self.definition = definition
    self.reducer = Reducer(definition, zones: ZoneFiles.content)
    self.doubts = doubts
  }

  /// The same definition, read from another version of its file, in which the warnings have other lines.
  package init(_ same: PinnedDefinition, doubts: [Doubt]?) {
    hash = same.hash
    text = same.text
    definition = same.definition
    reducer = same.reducer
    self.doubts = doubts
  }

  /// A warning of the definition reader.
  package struct Doubt: Hashable, Sendable {
    package var message: String
    /// The line and the column, from 1. The column counts Unicode scalars.
    package var line: Int
    package var column: Int
    /// The file, relative to the folder of the definition's main file; `nil` if the definition is a single file.
    package var file: String?

    package init(_ message: String, file: String? = nil, line: Int, column: Int) {
      self.message = message
      self.file = file
      self.line = line
      self.column = column
    }
  }
}
