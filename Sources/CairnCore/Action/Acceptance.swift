/// What may be posted now, so that nobody has to guess.
public struct Acceptance: Hashable, Sendable {
  public var steps: [AcceptedStep]
  public var primitives: [String]
  /// Of the primitives the gestures that are not made at once, as they stand: what they would take away is asked first.
  public var guarded: [String] = []
  /// The facts that the session's client may set: type by name.
  public var facts: [String: String] = [:]

  public struct AcceptedStep: Hashable, Sendable, Decodable {
    public var step: String
    /// Type by name, with `?` behind an optional one.
    public var params: [String: String]
  }
}
