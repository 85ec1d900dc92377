/// The clients that number their actions, each with its highest number. The client that acted last is last.
struct ClientBook: Hashable, Sendable {
  /// The highest number of each client.
  private(set) var newest: [Sender]
  /// The number of clients that are kept. Of more, the one that has not acted for the longest time is dropped.
  static let limit = 8

  init(newest: [Sender] = []) { self.newest = newest }

  /// Notes that an action of a client was performed.
  mutating func note(_ sender: Sender) {
    newest.removeAll { $0.client == sender.client }
    newest.append(sender)
    if newest.count > Self.limit { newest.removeFirst() }
  }
}
