/// The clients that number their actions, each with its highest number. The client with the newest action is last.
struct ClientBook: Hashable, Sendable {
  /// The highest number of each client.
  private(set) var newest: [Sender]
  /// Maximum number of clients. Beyond it, the client with the oldest action is dropped.
  static let limit = 8

  init(newest: [Sender] = []) { self.newest = newest }

  /// Records that an action of a client was performed.
  mutating func note(_ sender: Sender) {
    newest.removeAll { $0.client == sender.client }
    newest.append(sender)
    if newest.count > Self.limit { newest.removeFirst() }
  }
}
