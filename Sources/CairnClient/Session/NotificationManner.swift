public import CairnCore

/// How a notification comes.
public struct NotificationManner: Sendable, Hashable {
  /// The user tapped it; false: it is only received.
  public var isTapped: Bool
  /// The state of the app when the notification arrives.
  public var appState: Action.AppState
  /// The button that was pressed.
  public var action: String?
  /// The text that the user replies with.
  public var reply: String?

  public init(isTapped: Bool = true, appState: Action.AppState = .background, action: String? = nil, reply: String? = nil) {
    self.isTapped = isTapped
    self.appState = appState
    self.action = action
    self.reply = reply
  }

  /// As parameters of a query.
  var parameters: [(String, String?)] {
    [("tap", isTapped ? nil : "false"), ("state", appState.rawValue), ("action", action), ("reply", reply)]
  }
}
