/// What the service is set up with.
package struct Settings: Sendable {
  /// SHA-256 of the operator's key; nil: there is no operator.
  package var operatorKey: [UInt8]?
  package var creation = Creators.anyone
  /// Milliseconds after its last change when a session ends whose definition does not say it; nil: never.
  package var sessionTTL: Int?
  /// The environment that definitions may name variables of.
  package var environment: @Sendable (String) -> String?
  package var version: String

  /// Who may start sessions.
  package enum Creators: String, CaseIterable, Sendable { case anyone, operatorOnly = "operator" }

  package init(
    operatorKey: String? = nil, creation: Creators = .anyone, sessionTTL: Int? = nil, version: String = "dev",
    environment: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.operatorKey = operatorKey.map(Identity.hash)
    self.creation = creation
    self.sessionTTL = sessionTTL
    self.environment = environment
    self.version = version
  }
}
