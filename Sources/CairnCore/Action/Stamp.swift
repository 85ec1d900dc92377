/// The time, the random value and the sender of an action. They are stored in the journal, so that a replay has the same result.
public struct Stamp: Hashable, Sendable {
  /// The time in milliseconds since 1970.
  public var time: WideInt
  /// An unguessable value, unique to the action.
  public var nonce: String

  /// The client and the number of a numbered action; `nil` for an unnumbered action.
  public var sender: Sender?

  public init(time: WideInt, nonce: String, sender: Sender? = nil) {
    self.time = time
    self.nonce = nonce
    self.sender = sender
  }
}
