package import CairnCore

/// An entry as a live event. It has the members of a history entry, with `cause` instead of `action`.
package struct ChangeBody: JSONWritable, Sendable {
  /// The session of an event in the feed of all sessions.
  package struct Origin: Sendable {
    package var session: String
    package var app: String
    package var label: String?
    /// The hash of the session's definition, in the event of the session's creation; otherwise `nil`.
    package var definition: String?

    package init(session: String, app: String, label: String?, definition: String? = nil) {
      self.session = session
      self.app = app
      self.label = label
      self.definition = definition
    }
  }

  package var entry: Entry
  package var transition: Transition
  package var origin: Origin?
  /// The predictions of the next actions; `nil` if the subscriber did not request predictions, or if the session has a newer entry.
  package var predictions: [PredictionBody]?
  /// The entry's changes to the state; `nil` if the subscriber did not request them, or if the entry has no difference, for example after a migration.
  package var replica: ReplicaBody?

  package init(
    _ entry: Entry, _ transition: Transition, origin: Origin? = nil, predictions: [PredictionBody]? = nil, replica: ReplicaBody? = nil
  ) {
    self.entry = entry
    self.transition = transition
    self.origin = origin
    self.predictions = predictions
    self.replica = replica
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("app", ifPresent: origin?.app)
    writer.member("at", entry.stamp.at)
    writer.member("by", ifPresent: entry.author)
    writer.name("cause")
    EntryBody.write(entry.cause, to: &writer)
    transition.writeMembers(to: &writer)
    writer.member("definition", ifPresent: origin?.definition)
    writer.member("label", ifPresent: origin?.label)
    writer.member("predictions", ifPresent: predictions)
    writer.member("receivedAt", ifPresent: entry.stamp.receivedAt)
    writer.member("replica", ifPresent: replica)
    writer.member("request", ifPresent: entry.request)
    writer.member("revision", entry.revision)
    writer.member("sender", ifPresent: entry.stamp.sender)
    writer.member("session", ifPresent: origin?.session)
    writer.endObject()
  }
}
