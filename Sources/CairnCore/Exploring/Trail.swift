/// The branches of handlers that ran, in order, for explorations.
///
/// Unchecked: a reducer that leaves a trail belongs to one thread.
package final class Trail: @unchecked Sendable {
  /// A branch of a handler.
  package struct Branch: Hashable, Sendable {
    package var flow: String
    package var step: String
    /// From 0, in the handler.
    package var index: Int
  }

  /// All branches, by flow, step and place in the handler; a number of `taken` is a place in it.
  package private(set) var branches: [Branch] = []
  /// The branches that ran since this was last emptied, including those of refused turns.
  package private(set) var taken: [Int] = []

  package init() {}

  /// Forgets what ran.
  package func empty() { taken.removeAll(keepingCapacity: true) }

  /// An instruction that notes that this branch runs.
  func note(_ branch: Branch) -> Instruction {
    let number = branches.count
    branches.append(branch)
    return { [self] _, _ throws(Refusal) in
      taken.append(number)
      return nil
    }
  }
}
