package import CairnCore

/// The answer to a creation. `opened` is the arrival's own answer, if there was one.
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
