package import CairnCore

/// The live event of a session's move to another definition. The changes of that revision follow in a separate event.
package struct MigratedBody: JSONWritable, Sendable {
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

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("app", ifPresent: origin?.app)
    writer.member("definition", definition)
    writer.member("label", ifPresent: origin?.label)
    writer.member("revision", revision)
    writer.member("session", ifPresent: origin?.session)
    writer.endObject()
  }
}
