/// The type of a fact and the source of its initial value. `accessToken` is built in and not listed.
public struct FactDefinition: Hashable, Sendable {
  /// The built-in secret fact. A state only contains whether it is set, never its value.
  public static let accessToken = "accessToken"

  /// The facts of the app's activity: the last one that an `appState` action reported, and the milliseconds that the app was outside the foreground,
  /// set at its return.
  public static let (appState, away) = ("appState", "away")

  /// The built-in facts of `appState` actions. A definition has them if it names one of them.
  public static let ofApp = [
    appState: FactDefinition(
      type: ParameterDefinition(.string, allowed: Action.Activity.allCases.map { .string($0.rawValue) }, defaultValue: "foreground")),
    away: FactDefinition(type: ParameterDefinition(.integer, defaultValue: 0)),
  ]

  public var type: ParameterDefinition
  /// The environment variable with the initial value.
  public var environment: String?
  /// Whether clients of a session see the fact. Facts from the environment belong to the operator, so clients only see them if the definition says
  /// so.
  public var isShown: Bool

  /// Whether a session's client may set the fact, at the creation and with the action `facts`, as for properties of the device.
  public var isClients: Bool

  public init(type: ParameterDefinition, environment: String? = nil, isShown: Bool? = nil, isClients: Bool = false) {
    self.type = type
    self.environment = environment
    self.isClients = isClients
    self.isShown = isShown ?? (environment == nil)
  }
}
