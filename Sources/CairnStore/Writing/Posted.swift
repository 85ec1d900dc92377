/// The result of one or several commands, with one `Performed` for each. A class, because it is passed on several times, and copying a session
/// updates ten reference counts.
package final class Posted: Sendable {
  package let session: Session
  package let performed: [Performed]

  package init(session: Session, performed: [Performed]) {
    self.session = session
    self.performed = performed
  }
}
