import CairnRuntime
import CairnStore
import DequeModule

/// Tickets for clients that cannot send credentials. A ticket opens one stream, once, within half a minute. Only its hash is stored. Any thread.
final class Tickets: Sendable {
  private struct Ticket {
    let principal: Principal
    /// The session; `nil` for the stream of all sessions.
    let session: String?
    /// The time of expiry in milliseconds since 1970.
    let end: Int
  }

  private struct Contents {
    /// The tickets by SHA-256, so that the duration of a lookup reveals nothing about a ticket's text.
    var tickets: [[UInt8]: Ticket] = [:]
    var counts: [String?: Int] = [:]
    /// The hashes of the tickets, oldest first, including used ones. All tickets are valid for the same time.
    var order: Deque<[UInt8]> = []
  }

  /// The reason why no ticket was issued.
  enum Refusal: Error { case tooMany, full }

  /// The validity of a ticket in milliseconds.
  static let life = 30_000
  /// The maximum number of unused tickets for a session's stream, and for the stream of all sessions.
  static let limit = 16
  /// The maximum number of all unused tickets.
  static let most = 10_000

  private let contents = Lock(Contents())
  private let clock: any Clock

  init(_ clock: any Clock) { self.clock = clock }

  /// Issues a ticket for a session's stream, or for the stream of all sessions if `session` is `nil`. Returns its text and its expiry in milliseconds
  /// since 1970.
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

  /// The caller to whom a ticket for this stream was issued; `nil` if the ticket is invalid. The ticket becomes invalid, unless `isLook` is set.
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
