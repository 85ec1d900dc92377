import CairnCore

/// A ticket for a stream, and the time at which it expires.
package struct TicketBody: DescribedBody, Sendable {
  package var ticket: String
  package var expiresAt: Timestamp

  /// Creates the body. `expiresAt` is in milliseconds since 1970.
  package init(_ ticket: String, expiresAt: Int) {
    self.ticket = ticket
    self.expiresAt = Timestamp(expiresAt)
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("expiresAt", body?.expiresAt)
    visitor.always("ticket", body?.ticket)
  }

  package static var firstRequired: [String] { ["ticket"] }
}
