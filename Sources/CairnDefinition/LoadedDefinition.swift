package import CairnCore

/// A definition with the text that it is pinned by.
package struct LoadedDefinition: Hashable, Sendable {
  package var definition: Definition
  /// The file as one JSON text: members sorted, no space, no comments. Holds no value of the environment.
  package var canonical: String
  /// SHA-256 of the canonical text in lower-case hexadecimal digits: the definition's identity.
  package var hash: String
  /// Valid but doubtful parts of the definition.
  package var warnings: [Diagnostic]
}
