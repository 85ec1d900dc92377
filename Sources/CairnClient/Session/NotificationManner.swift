public import CairnCore

/// The way in which a notification arrives: tapped or only received, the app's state, the pressed button, the reply.
public struct NotificationManner: Sendable, Hashable {
  /// Whether the user tapped the notification. Otherwise the app has only received it.
  public var isTapped: Bool
  /// The state of the app when the notification arrives.
  public var appState: Action.AppState
  /// The identifier of the button that the user pressed; `nil` if no button was pressed.
  public var action: String?
  /// The text of the user's reply; `nil` if there is none.
  public var reply: String?

  public init(isTapped: Bool = true, appState: Action.AppState = .background, action: String? = nil, reply: String? = nil) {
    self.isTapped = isTapped
    self.appState = appState
    self.action = action
    self.reply = reply
  }

  /// The query parameters. They contain neither the button nor the reply, because a query may be logged.
  var parameters: [(String, String?)] { [("tap", isTapped ? nil : "false"), ("state", appState.rawValue)] }

  /// The body for a payload, with the button and the reply. The service refuses a payload that is not an object.
  func body(_ payload: Value) -> Value {
    guard case .object = payload else { return payload }
    var members = ["payload": payload]
    members["action"] = action.map(Value.string)
    members["reply"] = reply.map(Value.string)
    return .object(members)
  }
}
