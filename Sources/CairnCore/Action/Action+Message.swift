extension Action {
  /// The details of a notification beside its link and its category.
  public struct Message: Hashable, Sendable {
    /// The values that the definition reads from the payload, by name.
    public var values: [String: Value]
    /// The button that was pressed, by its identifier.
    public var action: String?
    /// The text that the user replied with.
    public var reply: String?
    /// It shows nothing by itself.
    public var isSilent: Bool

    public init(values: [String: Value] = [:], action: String? = nil, reply: String? = nil, isSilent: Bool = false) {
      self.values = values
      self.action = action
      self.reply = reply
      self.isSilent = isSilent
    }
  }
}
