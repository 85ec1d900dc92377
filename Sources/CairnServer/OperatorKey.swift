/// One operator's key.
package struct OperatorKey: Sendable, Equatable {
  /// The operator's name, which appears in the log and in a session's history.
  package let name: String
  package let key: String

  package init(name: String, key: String) {
    self.name = name
    self.key = key
  }
}
