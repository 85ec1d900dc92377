/// How many sessions are on a definition.
package struct DefinitionUse: Hashable, Sendable {
  /// Its hash.
  package var definition: String
  package var sessions: Int
  /// When the oldest of them was started, milliseconds since 1970.
  package var oldest: Int

  package init(definition: String, sessions: Int, oldest: Int) {
    self.definition = definition
    self.sessions = sessions
    self.oldest = oldest
  }
}
