/// A fact's type, where its first value comes from. `accessToken` is built in and is never listed.
public struct FactDefinition: Hashable, Sendable {
  /// The built-in secret one: its value is never in a state, only that it is there.
  public static let accessToken = "accessToken"

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
