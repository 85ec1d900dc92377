/// The type of a fact and the source of its first value. `accessToken` is built in, and no definition declares it.
public struct FactDefinition: Hashable, Sendable {
  /// The built-in secret fact. A state contains only whether it exists, not its value.
  public static let accessToken = "accessToken"

  /// The facts written by `appState` actions. `appState` is the last reported state of the app. `away` is the time in milliseconds for which the app
  /// was not in the foreground, written when the app returns to the foreground.
  public static let (appState, away) = ("appState", "away")

  /// The built-in facts of `appState` actions. A definition has both if it names one of them.
  public static let ofApp = [
    appState: FactDefinition(
      type: ParameterDefinition(
        .string, allowed: ValueSet(Action.Activity.allCases.map { .string($0.rawValue) }), defaultValue: "foreground")),
    away: FactDefinition(type: ParameterDefinition(.integer, defaultValue: 0)),
  ]

  public var type: ParameterDefinition
  /// The environment variable from which the fact gets its value; `nil` if there is none.
  public var environment: String?
  /// Whether the session's clients see the fact. By default, facts from the environment are hidden, because they belong to the operator.
  public var isShown: Bool

  /// Whether the session's own client may set the fact, at creation and with the action `facts`. Intended for properties of the device.
  public var isClients: Bool

  /// Whether operators can search sessions by the value.
  public var isIndexed: Bool

  #if !CLIENT_ENGINE
    /// The weights with which the service assigns the allowed values, in their order, when a session is created; empty if it assigns none.
    public var shares: [Int] = []
  #endif

  public init(
    type: ParameterDefinition, environment: String? = nil, isShown: Bool? = nil, isClients: Bool = false, isIndexed: Bool = false
  ) {
    self.type = type
    self.environment = environment
    self.isClients = isClients
    self.isIndexed = isIndexed
    self.isShown = isShown ?? (environment == nil)
  }
}
