package import CairnDefinition

/// The settings of the service.
package struct Settings: Sendable {
  package var operators: OperatorKeys
  package var creation = Creators.anyone
  package var limits = RateLimits()
  /// The other origins whose pages may call the service.
  package var origins = AllowedOrigins()
  /// The largest number of open streams per session. Operators' streams are not counted.
  package var streamsPerSession = 64
  /// Whether metrics are served on a separate port, for operators, instead of the public port.
  package var hasAdminPort = false
  /// Whether operators may put definitions and migrations.
  package var isWritable = true
  /// The limits for definitions, such as the minimum duration of a timer. A definition that violates them is rejected.
  package var definitions = DefinitionLimits()
  /// Maximum size of a session's file in bytes, for exports and imports.
  package var sessionFile = 64 << 20
  /// Plays a scenario to its end. Called on a reader's thread.
  package var playScenario: ScenarioEnd.Playing = { _, _, _ throws(ScenarioEnd.Fault) in
    throw ScenarioEnd.Fault([("", "this service does not support scenarios")])
  }
  /// The apps that the setting `predict` lists. Their clients may get the definition, to run an engine.
  package var predictable = PredictableApps()
  /// The engine for clients; `nil` if the service has none.
  package var engine: EngineFile?
  /// Whether the console is served.
  package var hasConsole = true
  /// Additional metrics, such as those of the process and of outgoing calls.
  package var figures: @Sendable () -> [Metric] = { [] }
  /// The time, in milliseconds, after which an unchanged session expires, unless its definition sets another time. If `nil`, a session
  /// expires only if its definition sets a time.
  package var sessionTTL: Int?
  /// Returns the value of an environment variable that a definition names; `nil` if the variable is not set.
  package var environment: @Sendable (String) -> String?
  package var version: String
  /// The commit that was built; `nil` if the build did not record it.
  package var commit: String?

  /// The callers that can create sessions.
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

  /// Creates settings with one operator, named `operator`, or without operators if `operatorKey` is `nil`.
  package init(
    operatorKey: String? = nil, creation: Creators = .anyone, version: String = "dev",
    environment: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.init(
      operators: OperatorKeys(operatorKey.map { [OperatorKey(name: "operator", key: $0)] } ?? []), creation: creation, version: version,
      environment: environment)
  }
}
