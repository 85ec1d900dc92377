/// The result of one or several commands, with one `Performed` for each.
package struct Posted: Sendable {
  package let session: Session
  package let performed: [Performed]

  package init(session: Session, performed: [Performed]) {
    self.session = session
    self.performed = performed
  }
}
