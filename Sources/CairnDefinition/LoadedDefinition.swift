package import CairnCore

/// A definition together with its canonical text and its hash.
package struct LoadedDefinition: Hashable, Sendable {
  package var definition: Definition
  /// The file as canonical JSON: sorted members, no whitespace, no comments. Contains no values of environment variables.
  package var canonical: String
  /// The definition's identity: the SHA-256 of the canonical text in lower-case hexadecimal digits.
  package var hash: String
  /// Warnings about parts that are valid but probably wrong.
  package var warnings: [Diagnostic]
  /// The folder of a definition that consists of several files, as a prefix of their paths; `nil` for a single file.
  package var folder: String?

  package init(definition: Definition, canonical: String, hash: String, warnings: [Diagnostic]) {
    self.definition = definition
    self.canonical = canonical
    self.hash = hash
    self.warnings = warnings
  }
}
