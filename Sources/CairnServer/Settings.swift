/// What the service is set up with.
package struct Settings: Sendable {
  /// SHA-256 of the operator's key; nil: there is no operator.
  package var operatorKey: [UInt8]?
  package var creation = Creators.anyone
  /// The environment that definitions may name variables of.
  package var environment: @Sendable (String) -> String?
  package var version: String

  /// Who may start sessions.
  package enum Creators: String, CaseIterable, Sendable { case anyone, operatorOnly = "operator" }

  package init(
    operatorKey: String? = nil, creation: Creators = .anyone, version: String = "dev",
    environment: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.operatorKey = operatorKey.map(Identity.hash)
    self.creation = creation
    self.environment = environment
    self.version = version
  }
}
