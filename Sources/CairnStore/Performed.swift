package import CairnCore

/// One command's own answer, with the revision that it left.
package struct Performed: Sendable {
  package var revision: Int
  package var transition: Transition

  package init(revision: Int, transition: Transition) {
    self.revision = revision
    self.transition = transition
  }
}
