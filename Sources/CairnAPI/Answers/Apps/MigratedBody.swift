package import CairnCore

/// The live event that a session has another definition from a revision on. The changes of that revision follow in an event of their own.
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
