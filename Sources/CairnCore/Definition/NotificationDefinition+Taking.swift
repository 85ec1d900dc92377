extension NotificationDefinition {
  /// How a message comes to the app.
  public enum How: Hashable, Sendable {
    case tap
    /// It arrives while the app is in front, and is not tapped.
    case foreground
    /// It shows nothing by itself.
    case silent
    /// One of its buttons, by the app's identifier for it.
    case action(String)
    /// A text was written into it.
    case reply

    /// The manners that are spelled as a word.
    public static let words: [(word: String, how: How)] = [
      ("tap", .tap), ("foreground", .foreground), ("silent", .silent), ("reply", .reply),
    ]
  }

  /// A value of the payload that the app reads.
  public struct Reading: Hashable, Sendable {
    /// JSON Pointers (RFC 6901); the first at which something is counts.
    public var pointers: [String]
    /// Its type in comparisons: the common type of all its receivers. A step reads it as its own param's type.
    public var type: ParameterDefinition

    public init(_ pointers: [String], as type: ParameterDefinition = ParameterDefinition(.any)) {
      self.pointers = pointers
      self.type = type
    }
  }

  /// The effect of messages without a link of their own.
  public struct Taking: Hashable, Sendable {
    /// nil: of any category.
    public var category: String?
    public var when: Guard?
    public var how: Set<How>
    public var routing: Routing

    /// The effect of a message.
    public enum Routing: Hashable, Sendable {
      /// A step, as a link's.
      case step(StepTemplate)
      /// A URL, which is opened.
      case link(Expression)
    }

    public init(category: String? = nil, when: Guard? = nil, how: Set<How> = [.tap], _ routing: Routing) {
      self.category = category
      self.when = when
      self.how = how
      self.routing = routing
    }
  }

  /// The name of what was written into a message, among its values.
  public static let reply = "reply"
}

extension Action.Message {
  /// The ways in which it has come; none: the system has shown it, and the app does not know yet.
  func hows(tap: Bool, appState: Action.AppState) -> Set<NotificationDefinition.How> {
    var hows: Set<NotificationDefinition.How> = []
    if let action { hows.insert(.action(action)) }
    if reply != nil { hows.insert(.reply) }
    guard hows.isEmpty else { return hows }
    if tap { return [.tap] }
    return isSilent ? [.silent] : appState == .foreground ? [.foreground] : []
  }
}
