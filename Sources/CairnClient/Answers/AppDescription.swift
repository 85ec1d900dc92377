public import CairnCore

/// The parts of an app's definition that a client needs.
public struct AppDescription: Sendable, Decodable {
  public var app: String
  /// The definition's hash.
  public var definition: String
  public var steps: [Step]
  public var screens: [Screen]
  public var flows: [Flow]
  public var facts: [Fact]
  public var links: [Link]
  /// The whole response as received.
  public var json: Value

  public struct Step: Sendable, Decodable {
    public var step: String
    /// The type of each param by name; the type of an optional param ends with `?`.
    public var params: [String: String]
    /// Whether the service refuses the step when a client posts it.
    public var `internal`: Bool
  }

  public struct Screen: Sendable, Decodable {
    public var screen: String
    public var params: [String: String]
    /// The steps that the screen may emit; `nil` if it may emit any step.
    public var emits: [String]?
    public var meta: Value?
  }

  public struct Flow: Sendable, Decodable {
    public var flow: String
    public var container: String
    public var handles: [String]
    public var emits: [String]?
    public var meta: Value?
  }

  public struct Fact: Sendable, Decodable {
    public var fact: String
    public var type: String
    /// `client` if the session's client may set the fact; otherwise `nil`.
    public var by: String?
  }

  public struct Link: Sendable, Decodable {
    public var path: String
    public var schemes: [String]
    public var hosts: [String]
    public var steps: [String]
  }

  private enum CodingKeys: String, CodingKey { case app, definition, steps, screens, flows, facts, links }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    app = try members.decode(String.self, forKey: .app)
    definition = try members.decode(String.self, forKey: .definition)
    steps = try members.decode([Step].self, forKey: .steps)
    screens = try members.decode([Screen].self, forKey: .screens)
    flows = try members.decode([Flow].self, forKey: .flows)
    facts = try members.decode([Fact].self, forKey: .facts)
    links = try members.decode([Link].self, forKey: .links)
    json = try Value(from: decoder)
  }
}
