package import CairnCore

/// The stored cause of an entry, with the author and the optional parts of the stamp.
package struct StoredCause: Sendable {
  package var cause: Entry.Cause
  /// The name of the operator who caused the entry; `nil` if no operator caused it.
  package var author: String?
  /// The client and the number of a numbered action; `nil` for any other action.
  package var sender: Sender?
  /// The offsets of the time zones that the action has read.
  package var zones: [ZoneWindow]
  /// The nodes that are lifted off the tree while the action runs, because its user had not seen them.
  package var covers: [Cover]
  /// The time at which the user made the action; `nil` if the client gave no time.
  package var clientTime: ClientTime?

  /// The entry with this cause. `time` is in milliseconds since 1970. Throws if the revision or the time is out of bounds.
  package func entry(revision: Int, time: Int, nonce: String, request: String?) throws(UnreadableFormat) -> Entry {
    guard State.isRevision(revision) else { throw UnreadableFormat(reason: "the revision in its cause is outside the allowed range") }
    guard State.isTime(time) else { throw UnreadableFormat(reason: "the time in its cause is before 1970 or after the year 9999") }
    return Entry(
      revision: revision, stamp: Stamp(time: time, nonce: nonce, sender: sender, zones: zones, covers: covers, clientTime: clientTime),
      cause: cause,
      author: author, request: request)
  }
}
