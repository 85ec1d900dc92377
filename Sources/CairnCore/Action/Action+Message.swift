extension Action {
  /// The contents of a notification, except its link and category.
  public struct Message: Hashable, Sendable {
    /// The values that the definition reads from the payload, by name.
    public var values: [String: Value]
    /// The identifier of the pressed button; `nil` if no button was pressed.
    public var action: String?
    /// The text of the user's reply; `nil` if the user did not reply.
    public var reply: String?
    /// Whether the system shows nothing to the user for this notification.
    public var isSilent: Bool

    public init(values: [String: Value] = [:], action: String? = nil, reply: String? = nil, isSilent: Bool = false) {
      self.values = values
      self.action = action
      self.reply = reply
      self.isSilent = isSilent
    }
  }
}
