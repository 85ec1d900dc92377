extension NotificationDefinition {
  /// The way in which a notification reaches the app.
  public enum How: Hashable, Sendable {
    case tap
    /// The notification arrives while the app is in the foreground, and is not tapped.
    case foreground
    /// The notification arrives without being shown to the user.
    case silent
    /// The user pressed the button with this identifier.
    case action(String)
    /// The user replied with a text.
    case reply

    /// The ways that are written as one word in a definition.
    public static let words: [(word: String, how: How)] = [
      ("tap", .tap), ("foreground", .foreground), ("silent", .silent), ("reply", .reply),
    ]
  }

  /// A value that the app reads from the payload.
  public struct Reading: Hashable, Sendable {
    /// JSON Pointers (RFC 6901). The first one that points to a value is used.
    public var pointers: [String]
    /// The type of the value in conditions: the type that all uses of the value require, or `any` if they require different types. A step
    /// converts the value to the type of its own param.
    public var type: ParameterDefinition

    public init(_ pointers: [String], as type: ParameterDefinition = ParameterDefinition(.any)) {
      self.pointers = pointers
      self.type = type
    }
  }

  /// A rule for the effect of a notification.
  public struct Taking: Hashable, Sendable {
    /// The category; `nil` for every category.
    public var category: String?
    public var when: Guard?
    public var how: Set<How>
    public var routing: Routing
    /// Whether the effect waits until all clients have sent the actions that their users performed before the notification.
    public var isSettled = false

    /// The effect of a notification.
    public enum Routing: Hashable, Sendable {
      /// Sends a step, like a link.
      case step(StepTemplate)
      /// Opens a URL.
      case link(Expression)
    }

    public init(category: String? = nil, when: Guard? = nil, how: Set<How> = [.tap], _ routing: Routing) {
      self.category = category
      self.when = when
      self.how = how
      self.routing = routing
    }
  }

  /// The name of the reply's text among the values of a notification.
  public static let reply = "reply"
}

extension Action.Message {
  /// The ways in which the notification reached the app. Empty if the system has shown the notification and the user has not reacted.
  func hows(tap: Bool, appState: Action.AppState) -> Set<NotificationDefinition.How> {
    var hows: Set<NotificationDefinition.How> = []
    if let action { hows.insert(.action(action)) }
    if reply != nil { hows.insert(.reply) }
    guard hows.isEmpty else { return hows }
    if tap { return [.tap] }
    return isSilent ? [.silent] : appState == .foreground ? [.foreground] : []
  }
}
