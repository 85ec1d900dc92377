extension Action {
  /// What is told of a notification beside its link and its category.
  public struct Message: Hashable, Sendable {
    /// What the definition reads in the payload, by name.
    public var values: [String: Value]
    /// The button that was pressed, by its identifier.
    public var action: String?
    /// What was written into it.
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
