package import CairnCore

/// A ticket for a stream, and until when it is taken.
package struct TicketBody: JSONWritable, Sendable {
  package var ticket: String
  /// Milliseconds since 1970.
  package var expiresAt: Int

  package init(_ ticket: String, expiresAt: Int) {
    self.ticket = ticket
    self.expiresAt = expiresAt
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("expiresAt", Timestamp(expiresAt))
    writer.member("ticket", ticket)
    writer.endObject()
  }
}
