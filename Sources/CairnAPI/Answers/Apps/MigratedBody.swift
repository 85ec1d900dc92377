import CairnCore

/// The live event of a session's move to another definition. The changes of the move's revision follow in a separate event.
package struct MigratedBody: DescribedBody, Sendable {
  /// The hash of the new definition.
  package var definition: String
  package var revision: Int
  /// The session of an event in the feed of all sessions.
  package var origin: ChangeBody.Origin?

  package init(definition: String, revision: Int, origin: ChangeBody.Origin? = nil) {
    self.definition = definition
    self.revision = revision
    self.origin = origin
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.maybe("app", body?.origin?.app)
    visitor.always("definition", body?.definition, "The hash of the new definition.")
    visitor.maybe("label", body?.origin?.label)
    visitor.always("revision", body?.revision, as: .shared(.revision))
    visitor.maybe("session", body?.origin?.session, as: .shared(.sessionID))
  }

  package static var about: String {
    "The session's move to another definition, at this revision. The event `change` follows. The client must then read the app's definition again."
  }
}
