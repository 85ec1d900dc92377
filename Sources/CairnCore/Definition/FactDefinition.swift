/// A fact's type, where its first value comes from. `accessToken` is built in and is never listed.
public struct FactDefinition: Hashable, Sendable {
  /// The built-in secret one: its value is never in a state, only that it is there.
  public static let accessToken = "accessToken"

  /// Where the app is, as an `appState` action said last; and for how many milliseconds it was not in the foreground, when it came back.
  public static let (appState, away) = ("appState", "away")

  /// The built-in facts of `appState` actions. A definition has them if it names one of them.
  public static let ofApp = [
    appState: FactDefinition(
      type: ParameterDefinition(.string, allowed: Action.Activity.allCases.map { .string($0.rawValue) }, defaultValue: "foreground")),
    away: FactDefinition(type: ParameterDefinition(.integer, defaultValue: 0)),
  ]

  public var type: ParameterDefinition
  /// The environment variable that gives its value.
  public var environment: String?
  /// Whether a session's clients see it; what the environment says is the operator's own, and they do only where the definition says so.
  public var isShown: Bool

  /// A session's own client may set it, at creation and by the action `facts`: what the device is like.
  public var isClients: Bool

  public init(type: ParameterDefinition, environment: String? = nil, isShown: Bool? = nil, isClients: Bool = false) {
    self.type = type
    self.environment = environment
    self.isClients = isClients
    self.isShown = isShown ?? (environment == nil)
  }
}
