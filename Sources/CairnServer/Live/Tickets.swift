import CairnRuntime
import CairnStore
import DequeModule

/// Tickets for clients that cannot send credentials: each opens one stream, once, within half a minute. Only its hash is stored. Any
/// thread.
final class Tickets: Sendable {
  private struct Ticket {
    let principal: Principal
    /// The session; nil: all.
    let session: String?
    /// Milliseconds since 1970.
    let end: Int
  }

  private struct Contents {
    /// By SHA-256: how long it takes to find one tells nothing of its text.
    var tickets: [[UInt8]: Ticket] = [:]
    var counts: [String?: Int] = [:]
    /// Their hashes, oldest first; those that were used are still here. All live equally long.
    var order: Deque<[UInt8]> = []
  }

  /// Why there is none.
  enum Refusal: Error { case tooMany, full }

  /// Milliseconds for which one is taken.
  static let life = 30_000
  /// Of one session, or of all sessions, that are not used yet.
  static let limit = 16
  /// In all.
  static let most = 10_000

  private let contents = Lock(Contents())
  private let clock: any Clock

  init(_ clock: any Clock) { self.clock = clock }

  /// A ticket for a session's stream, nil: for that of all, and until when it is taken (milliseconds since 1970).
  func sell(to principal: Principal, for session: String?) throws(Refusal) -> (text: String, end: Int) {
    let text = Identity.ticket()
    let hash = Identity.hash(text)
    let now = clock.now()
    let end = now + Self.life
    try contents.withLock { contents throws(Refusal) in
      Self.forget(&contents, at: now)
      guard contents.counts[session, default: 0] < Self.limit else { throw .tooMany }
      guard contents.tickets.count < Self.most else { throw .full }
      contents.tickets[hash] = Ticket(principal: principal, session: session, end: end)
      contents.counts[session, default: 0] += 1
      contents.order.append(hash)
    }
    return (text, end)
  }

  /// The caller that bought a ticket for this stream; `nil` if it is invalid. The ticket is used up, unless `isLook`.
  func use(_ text: String, for session: String?, isLook: Bool = false) -> Principal? {
    let hash = Identity.hash(text)
    let now = clock.now()
    return contents.withLock { contents in
      Self.forget(&contents, at: now)
      guard let ticket = contents.tickets[hash], ticket.session == session, ticket.end > now else { return nil }
      if !isLook { Self.remove(hash, &contents) }
      return ticket.principal
    }
  }

  private static func forget(_ contents: inout Contents, at now: Int) {
    while let hash = contents.order.first {
      if let ticket = contents.tickets[hash] {
        guard ticket.end <= now else { break }
        remove(hash, &contents)
      }
      contents.order.removeFirst()
    }
  }

  private static func remove(_ hash: [UInt8], _ contents: inout Contents) {
    guard let ticket = contents.tickets.removeValue(forKey: hash) else { return }
    let count = contents.counts[ticket.session, default: 1] - 1
    contents.counts[ticket.session] = count == 0 ? nil : count
  }
}
