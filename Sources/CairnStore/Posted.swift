/// The answer to one or several commands; one `Performed` each.
package struct Posted: Sendable {
  package var session: Session
  package var performed: [Performed]

  package init(session: Session, performed: [Performed]) {
    self.session = session
    self.performed = performed
  }
}
