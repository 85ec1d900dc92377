/// A page of a session's history, oldest entry first.
public struct HistoryPage: Sendable, Decodable {
  public var entries: [HistoryEntry]
  /// The first revision that can be read, if earlier history was forgotten; otherwise `nil`. The entries begin after this revision.
  public var firstRevision: Int?
  /// The path of the next page; `nil` on the last page.
  var next: String?

  /// Whether the history contains entries after this page.
  public var hasMore: Bool { next != nil }
  /// The revision after which the next page begins; `nil` on the last page. A page that is limited to a period may be empty although more
  /// entries follow.
  public var nextRevision: Int? {
    guard let query = next?.split(separator: "?").last else { return nil }
    return query.split(separator: "&").first { $0.hasPrefix("after=") }.flatMap { Int($0.dropFirst(6)) }
  }
}
