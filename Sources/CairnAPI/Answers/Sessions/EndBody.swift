import CairnCore

/// The last event of a session's stream, or the end of one session in the feed of all sessions.
package struct EndBody: DescribedBody, Sendable {
  /// A stable word: `deleted`, `expired`, `stopping` or `credential`.
  package var reason: String
  package var origin: ChangeBody.Origin?
  /// The time of the event in milliseconds since 1970; `nil` in a session's stream.
  package var time: Int?

  package init(_ reason: String, origin: ChangeBody.Origin? = nil, time: Int? = nil) {
    self.reason = reason
    self.origin = origin
    self.time = time
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.maybe("app", body?.origin?.app)
    visitor.maybe("at", (body?.time).map(Timestamp.init))
    visitor.maybe("label", body?.origin?.label)
    visitor.always(
      "reason", body?.reason,
      "The reason for the end: deleted or expired (the session has ended), stopping (the service stops), or credential (the credential of the stream "
        + "was revoked). After an error, or if the client reads too slowly, the stream is closed without this event.")
    visitor.maybe("session", body?.origin?.session, as: .shared(.sessionID))
  }

  package static var about: String { "The end of a stream, or of a session in the stream of all sessions." }
}
