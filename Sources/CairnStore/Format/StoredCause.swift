package import CairnCore

/// The stored cause of an entry, with its author and sender.
package struct StoredCause: Sendable {
  package var cause: Entry.Cause
  /// The name of the operator who posted the action; `nil` for any other action.
  package var author: String?
  /// The client and the number of a numbered action; `nil` for any other.
  package var sender: Sender?

  /// The entry with this cause. `time` is in milliseconds since 1970.
  package func entry(revision: Int, time: Int, nonce: String, request: String?) -> Entry {
    Entry(
      revision: revision, stamp: Stamp(time: time, nonce: nonce, sender: sender), cause: cause, author: author, request: request)
  }
}
