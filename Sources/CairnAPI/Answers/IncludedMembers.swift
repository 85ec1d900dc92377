import CairnCore

/// The members of a session that the response to a post contains if the client asks for them. A class, because most responses contain none
/// of these members, and a `nil` reference costs almost nothing.
package final class IncludedMembers: Sendable {
  /// The session after the post; `nil` if only the replica is included.
  private let session: SessionBody?
  private let members: SessionMembers
  private let replica: ReplicaBody?

  /// Creates the members from the session after the post. `replica` is the difference of the post's entry; `nil` if the client did not ask for it, or
  /// if the entry has no difference.
  package init(_ members: SessionMembers, of session: SessionBody, replica: ReplicaBody? = nil) {
    self.session = session
    self.members = members
    self.replica = replica
  }

  /// Creates members that consist only of the difference of an entry, for the response to one of several actions.
  package init(replica: ReplicaBody) {
    session = nil
    members = []
    self.replica = replica
  }

  /// Writes the members, the predictions and the replica into an open object. A member without a value is omitted.
  func write(to writer: inout JSONWriter) {
    session?.write(members, to: &writer)
    writer.member("replica", ifPresent: replica)
  }
}
