/// The use of a definition by an app's sessions.
package struct DefinitionUse: Hashable, Sendable {
  /// The definition's hash.
  package var definition: String
  package var sessions: Int
  /// The creation time of the oldest of these sessions, in milliseconds since 1970.
  package var oldest: Int

  package init(definition: String, sessions: Int, oldest: Int) {
    self.definition = definition
    self.sessions = sessions
    self.oldest = oldest
  }
}
