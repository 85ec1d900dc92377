package import CairnDefinition

/// The settings of the service.
package struct Settings: Sendable {
  package var operators: OperatorKeys
  package var creation = Creators.anyone
  package var limits = RateLimits()
  /// The origins whose pages may send requests, in addition to the service's own.
  package var origins = AllowedOrigins()
  /// The maximum number of concurrent streams per session, without those of operators.
  package var streamsPerSession = 64
  /// Whether metrics have a port of their own and are not served here.
  package var hasAdminPort = false
  /// Whether operators may put definitions.
  package var isWritable = true
  /// The limits of a definition. Definitions that exceed them are rejected.
  package var definitions = DefinitionLimits()
  /// Whether the console is served.
  package var hasConsole = true
  /// Additional metrics, such as those of files and outgoing calls.
  package var figures: @Sendable () -> [Metric] = { [] }
  /// The milliseconds after its last change at which a session expires if its definition does not say so; `nil` if it never expires.
  package var sessionTTL: Int?
  /// The environment variables that definitions can refer to.
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

  /// Creates settings with one operator named `operator`, or with none.
  package init(
    operatorKey: String? = nil, creation: Creators = .anyone, version: String = "dev",
    environment: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.init(
      operators: OperatorKeys(operatorKey.map { [OperatorKey(name: "operator", key: $0)] } ?? []), creation: creation, version: version,
      environment: environment)
  }
}
