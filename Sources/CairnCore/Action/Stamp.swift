/// Time and chance, as they were when the action came in: a replay gives the same.
public struct Stamp: Hashable, Sendable {
  /// Milliseconds since 1970.
  public var time: WideInt
  /// Fresh and unguessable for each action.
  public var nonce: String

  public init(time: WideInt, nonce: String) {
    self.time = time
    self.nonce = nonce
  }
}
