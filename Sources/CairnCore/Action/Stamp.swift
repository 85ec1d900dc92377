/// The time and the random text of an action, stored so that a replay has the same result.
public struct Stamp: Hashable, Sendable {
  /// Milliseconds since 1970.
  public var time: WideInt
  /// A new unguessable text for each action.
  public var nonce: String

  public init(time: WideInt, nonce: String) {
    self.time = time
    self.nonce = nonce
  }
}
