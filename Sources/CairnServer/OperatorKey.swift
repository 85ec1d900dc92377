/// One operator's key.
package struct OperatorKey: Sendable, Equatable {
  /// The operator's name in the log and in the history.
  package let name: String
  package let key: String

  package init(name: String, key: String) {
    self.name = name
    self.key = key
  }
}
