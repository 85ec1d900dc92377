/// A part of a session's history, oldest first.
public struct HistoryPage: Sendable, Decodable {
  public var entries: [HistoryEntry]
  /// The path of the next page.
  var next: String?

  /// Behind the last of these there are more.
  public var hasMore: Bool { next != nil }
}
