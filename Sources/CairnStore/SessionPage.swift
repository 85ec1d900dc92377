/// A page of a list of sessions.
package struct SessionPage: Sendable {
  package var sessions: [Session] = []
  /// Ids of those that belong here and cannot be read.
  package var damaged: [String] = []
  /// The last of the page, readable or not; nil: it is empty.
  package var last: String?
  /// Whether there are further ones.
  package var more = false
}
