package import CairnCore

/// The result of a creation. `performed` is the result of the creation itself. `opened` is the result of the link or notification that
/// started the app; `nil` if neither started it.
package struct Created: Sendable {
  package var session: Session
  package var performed: Performed
  package var opened: Result<Performed, Refusal>?

  package init(session: Session, performed: Performed, opened: Result<Performed, Refusal>? = nil) {
    self.session = session
    self.performed = performed
    self.opened = opened
  }
}
