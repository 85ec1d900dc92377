package import CairnCore

/// The result of one command and the resulting revision. A class, because copying a transition updates ten reference counts.
package final class Performed: Sendable {
  package let revision: Int
  package let transition: Transition

  package init(revision: Int, transition: Transition) {
    self.revision = revision
    self.transition = transition
  }
}
