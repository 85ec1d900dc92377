/// One operator's key.
package struct OperatorKey: Sendable, Equatable {
  /// Stands in the log and in the history of what its holder did.
  package let name: String
  package let key: String

  package init(name: String, key: String) {
    self.name = name
    self.key = key
  }
}
