/// The record of a message that has ended.
public struct EndedMessage: Hashable, Sendable {
  /// The number of the effect that ended.
  public var id: Effect.ID
  public var key: String
  /// The text from which the header `Idempotency-Key` was derived, as in `Message`.
  public var header: String
  /// The digest of the URL and the body, as in `Message`.
  public var digest: String
  /// Whether a response arrived. Otherwise it is unknown whether the upstream received the message.
  public var isDone: Bool
  /// The response; `nil` if none arrived, or if it is no longer stored.
  public var result: Value?

  init(_ message: Message, id: Effect.ID, isDone: Bool, result: Value? = nil) {
    self.id = id
    key = message.key
    header = message.header
    digest = message.digest
    self.isDone = isDone
    self.result = result
  }
}

/// The records of a session's messages that have ended with a response or with an unknown outcome. The record of a message that the
/// upstream has refused is removed.
struct MessageBook: Hashable, Sendable {
  /// The records in the order of the calls.
  private(set) var ended: [EndedMessage]

  init(ended: [EndedMessage] = []) { self.ended = ended }

  /// Maximum number of results. The results of the newest messages are stored.
  static let mostResults = 1_000
  /// Maximum estimated size of all results in bytes.
  static let mostBytes = 64 << 10

  /// The end of the message with a key; `nil` if the key is not known.
  subscript(key: String) -> EndedMessage? { ended.first { $0.key.isExactly(key) } }

  /// Removes a key, so that the next call with it is a new message.
  mutating func forget(_ key: String) { ended.removeAll { $0.key.isExactly(key) } }

  /// Adds an end, or replaces the end with the same number. Does not remove results, as `note` does.
  mutating func put(_ end: EndedMessage) {
    remove(end.id)
    ended.insert(end, at: ended.firstIndex { $0.id > end.id } ?? ended.count)
  }

  /// Removes the end with this number.
  mutating func remove(_ id: Effect.ID) { ended.removeAll { $0.id == id } }

  /// Records an end, which replaces an earlier end with the same key. If there are too many results, removes the oldest ones; their keys stay known.
  mutating func note(_ end: EndedMessage) {
    forget(end.key)
    put(end)
    var (count, bytes) = (0, 0)
    for index in ended.indices.reversed() {
      guard let result = ended[index].result else { continue }
      count += 1
      bytes += result.size
      if count > Self.mostResults || bytes > Self.mostBytes { ended[index].result = nil }
    }
  }
}
