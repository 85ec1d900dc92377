package import CairnCore

/// The result of one command, with the revision that it led to. An object, because a copy of a transition counts ten references.
package final class Performed: Sendable {
  package let revision: Int
  package let transition: Transition

  package init(revision: Int, transition: Transition) {
    self.revision = revision
    self.transition = transition
  }
}
