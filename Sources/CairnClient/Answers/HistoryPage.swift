/// A page of a session's history, oldest entry first.
public struct HistoryPage: Sendable, Decodable {
  public var entries: [HistoryEntry]
  /// The first revision that can be read, if earlier history was forgotten; otherwise `nil`. The entries begin after it.
  public var firstRevision: Int?
  /// The path of the next page; `nil` on the last page.
  var next: String?

  /// Whether the history contains entries after this page.
  public var hasMore: Bool { next != nil }
}
