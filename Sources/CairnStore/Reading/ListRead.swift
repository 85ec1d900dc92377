import CairnCore
import CairnJournal

/// Reads a page of the list of sessions, some sessions per step. The page names unreadable sessions in `damaged`.
struct ListRead<Item: Sendable>: SteppedRead {
  private var query: SessionQuery
  private let limit: Int
  private let bytes: Int
  private let show: @Sendable (Session) throws(StoreFault) -> (item: Item, bytes: Int)
  private var list = SessionList<Item>()
  private var weight = 0
  private var steps = 0

  /// The number of sessions that a step reads.
  private static var stride: Int { 32 }
  /// The maximum number of steps per response. A step examines at most about two thousand rows, even if few of them match.
  private static var most: Int { 40 }

  /// Creates a read. `bytes` is the size at which the page ends. `show` converts a session and returns its size in bytes.
  init(
    _ query: SessionQuery, bytes: Int, as show: @escaping @Sendable (Session) throws(StoreFault) -> (item: Item, bytes: Int)
  ) {
    self.query = query
    limit = query.limit
    self.bytes = bytes
    self.show = show
  }

  mutating func step(_ parts: StoreParts) throws(StoreFault) -> SessionList<Item>? {
    query.limit = min(Self.stride, limit - list.items.count)
    let page = try parts.page(query)
    for id in page.ids {
      switch try parts.lookup(id) {
      case .gone: break
      case .damaged: list.damaged.append(id)
      case .found(let session):
        let (item, size) = try show(session)
        list.items.append(item)
        weight += size
      }
    }
    list.next = page.next
    query.after = page.next
    steps += 1
    return page.next == nil || list.items.count >= limit || weight >= bytes || steps >= Self.most ? list : nil
  }
}
