/// A fact's type, where its first value comes from. `accessToken` is built in and is never listed.
public struct FactDefinition: Hashable, Sendable {
  /// The built-in secret one: its value is never in a state, only that it is there.
  public static let accessToken = "accessToken"

  public var type: ParameterDefinition
  /// The environment variable it is read from when a session is created.
  public var environment: String?

  public init(type: ParameterDefinition, environment: String? = nil) {
    self.type = type
    self.environment = environment
  }
}
