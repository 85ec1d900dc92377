/// The answer to one or several commands; one `Performed` each. An object, because it goes through several hands, and a copy of a session
/// is ten counted references.
package final class Posted: Sendable {
  package let session: Session
  package let performed: [Performed]

  package init(session: Session, performed: [Performed]) {
    self.session = session
    self.performed = performed
  }
}
