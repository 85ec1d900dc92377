/// The result of a post, with one `Performed` for each command or alteration. The list is empty if the post forgets history.
package struct Posted: Sendable {
  package let session: Session
  package let performed: [Performed]

  package init(session: Session, performed: [Performed]) {
    self.session = session
    self.performed = performed
  }
}
