package import CairnDefinition

/// The settings of the service.
package struct Settings: Sendable {
  package var operators: OperatorKeys
  package var creation = Creators.anyone
  package var limits = RateLimits()
  /// The origins whose pages may call, beside the service's own.
  package var origins = AllowedOrigins()
  /// Streams of one session at once, beside the operators'.
  package var streamsPerSession = 64
  /// Whether metrics are on a port of their own, and not on this one.
  package var hasAdminPort = false
  /// Whether an operator may put definitions.
  package var isWritable = true
  /// Definitions that exceed them are rejected.
  package var definitions = DefinitionLimits()
  /// Whether the page for people is served.
  package var hasConsole = true
  /// Metrics beside the service's own: of files, of outgoing calls.
  package var figures: @Sendable () -> [Metric] = { [] }
  /// Milliseconds after its last change when a session ends whose definition does not say it; nil: never.
  package var sessionTTL: Int?
  /// The environment that definitions may name variables of.
  package var environment: @Sendable (String) -> String?
  package var version: String
  /// The commit that was built; `nil` if the build did not record it.
  package var commit: String?

  /// The callers that can start sessions.
  package enum Creators: String, CaseIterable, Sendable { case anyone, operatorOnly = "operator" }

  package init(
    operators: OperatorKeys, creation: Creators = .anyone, sessionTTL: Int? = nil, version: String = "dev",
    environment: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.operators = operators
    self.creation = creation
    self.sessionTTL = sessionTTL
    self.environment = environment
    self.version = version
  }

  /// With one operator, named `operator`, or none.
  package init(
    operatorKey: String? = nil, creation: Creators = .anyone, version: String = "dev",
    environment: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.init(
      operators: OperatorKeys(operatorKey.map { [OperatorKey(name: "operator", key: $0)] } ?? []), creation: creation, version: version,
      environment: environment)
  }
}
