/// The time and the random value of an action. They are stored in the journal, so that a replay has the same result.
public struct Stamp: Hashable, Sendable {
  /// The time in milliseconds since 1970.
  public var time: WideInt
  /// An unguessable value, unique to the action.
  public var nonce: String

  public init(time: WideInt, nonce: String) {
    self.time = time
    self.nonce = nonce
  }
}
