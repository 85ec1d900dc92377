extension NotificationDefinition {
  /// The way in which an app receives a notification.
  public enum How: Hashable, Sendable {
    case tap
    /// The notification arrives while the app is in the foreground, and was not tapped.
    case foreground
    /// The notification shows nothing.
    case silent
    /// A button was pressed, given by the app's identifier for it.
    case action(String)
    /// The user entered a text.
    case reply

    /// The ways that are written as a single word.
    public static let words: [(word: String, how: How)] = [
      ("tap", .tap), ("foreground", .foreground), ("silent", .silent), ("reply", .reply),
    ]
  }

  /// A value of the payload that the app uses.
  public struct Reading: Hashable, Sendable {
    /// The JSON Pointers (RFC 6901) to the value. The first one with a value is used.
    public var pointers: [String]
    /// The type in comparisons, which is the common type of all params that use the value. Each step converts the value to its param's type.
    public var type: ParameterDefinition

    public init(_ pointers: [String], as type: ParameterDefinition = ParameterDefinition(.any)) {
      self.pointers = pointers
      self.type = type
    }
  }

  /// A rule for notifications without a link of their own.
  public struct Taking: Hashable, Sendable {
    /// The category; `nil` for any.
    public var category: String?
    public var when: Guard?
    public var how: Set<How>
    public var routing: Routing

    /// The effect of a notification.
    public enum Routing: Hashable, Sendable {
      /// A step, as from a link.
      case step(StepTemplate)
      /// A URL that is opened.
      case link(Expression)
    }

    public init(category: String? = nil, when: Guard? = nil, how: Set<How> = [.tap], _ routing: Routing) {
      self.category = category
      self.when = when
      self.how = how
      self.routing = routing
    }
  }

  /// The name of the value with the text that the user entered.
  public static let reply = "reply"
}

extension Action.Message {
  /// The ways in which the notification was received. Empty if the system has shown it and the app does not know of it yet.
  func hows(tap: Bool, appState: Action.AppState) -> Set<NotificationDefinition.How> {
    var hows: Set<NotificationDefinition.How> = []
    if let action { hows.insert(.action(action)) }
    if reply != nil { hows.insert(.reply) }
    guard hows.isEmpty else { return hows }
    if tap { return [.tap] }
    return isSilent ? [.silent] : appState == .foreground ? [.foreground] : []
  }
}
