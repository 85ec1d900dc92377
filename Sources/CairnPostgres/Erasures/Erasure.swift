/// A deletion of a session, or the forgetting of the older part of its history.
struct Erasure: Hashable, Sendable {
  /// The session's number in the journal.
  var session: Int
  /// The `TextDigest` of the session's id, which does not reveal the id.
  var id: [UInt8]
  /// The first revision that is kept of the history; `nil` if the session is deleted.
  var revision: Int?

  /// The number of bytes of the id's hash.
  static let idSize = 16
}
