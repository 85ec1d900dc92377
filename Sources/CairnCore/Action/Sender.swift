/// The client that posted a numbered action, and the number that it gave to the action.
public struct Sender: Hashable, Sendable {
  /// The client's id, which it chose at random: 22 to 64 characters of ASCII.
  public var client: String
  /// The number that the client gave to the action. It increases with each action of the client.
  public var number: WideInt

  public init(client: String, number: WideInt) {
    self.client = client
    self.number = number
  }
}
