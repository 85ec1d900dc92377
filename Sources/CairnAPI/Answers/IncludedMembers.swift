import CairnCore

/// The members of a session that the response to a post contains in addition. A class, because most responses have none, and an empty reference
/// costs them nothing.
package final class IncludedMembers: Sendable {
  private let session: SessionBody
  private let members: SessionMembers

  /// `session` is the session after the post.
  package init(_ members: SessionMembers, of session: SessionBody) {
    self.session = session
    self.members = members
  }

  /// Writes the members, the predictions and the replica into an open object, with the values that the session has.
  func write(to writer: inout JSONWriter) { session.write(members, to: &writer) }
}
