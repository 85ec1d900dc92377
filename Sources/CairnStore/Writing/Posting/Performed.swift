package import CairnCore

/// The result of one command and the resulting revision. A class, because copying a transition updates ten reference counts.
package final class Performed: Sendable {
  package let revision: Int
  package let transition: Transition
  /// The stored difference of the command's entry, in `StateFormat`; `nil` if the command created no entry or several.
  package let difference: [UInt8]?

  package init(revision: Int, transition: Transition, difference: [UInt8]? = nil) {
    self.revision = revision
    self.transition = transition
    self.difference = difference
  }
}
