import CairnRuntime
import CairnStore
import DequeModule

/// Tickets for clients that cannot send credentials. Each ticket opens one stream, once, within 30 seconds. Only the hash of a ticket is
/// stored. Thread-safe.
final class Tickets: Sendable {
  private struct Ticket {
    let principal: Principal
    /// The id of the session; `nil` for the stream of all sessions.
    let session: String?
    /// The expiry time, in milliseconds since 1970.
    let end: Int
  }

  private struct Contents {
    /// The unused tickets by their SHA-256. Because the key is a hash, the time of a lookup reveals nothing about a ticket's text.
    var tickets: [[UInt8]: Ticket] = [:]
    var counts: [String?: Int] = [:]
    /// The hashes of all tickets, oldest first, including used ones. All tickets have the same lifetime, so the first one expires first.
    var order: Deque<[UInt8]> = []
  }

  /// The reason why no ticket is issued: too many unused tickets for this session, or too many in total.
  enum Refusal: Error { case tooMany, full }

  /// The lifetime of a ticket, in milliseconds.
  static let life = 30_000
  /// Maximum number of unused tickets per session, and for the stream of all sessions.
  static let limit = 16
  /// Maximum number of unused tickets in total.
  static let most = 10_000

  private let contents = Lock(Contents())
  private let clock: any Clock

  init(_ clock: any Clock) { self.clock = clock }

  /// Issues a ticket for a session's stream, or for the stream of all sessions if `session` is `nil`. `end` is the expiry time in
  /// milliseconds since 1970. Throws if too many unused tickets exist.
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

  /// Returns the caller to whom the ticket was issued; `nil` if the ticket is not valid for this stream. A valid ticket cannot be used
  /// again, unless `isLook` is `true`.
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
