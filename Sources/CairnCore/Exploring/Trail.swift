/// Records the branches of handlers in the order in which they run, for `explore`.
///
/// Unchecked: a reducer with a trail is used on one thread.
package final class Trail: @unchecked Sendable {
  /// A branch of a handler.
  package struct Branch: Hashable, Sendable {
    package var flow: String
    package var step: String
    /// The index of the branch in its handler, from 0.
    package var index: Int
  }

  /// All branches of the program.
  package private(set) var branches: [Branch] = []
  /// The branches that have run since the last call of `empty()`, as indices into `branches`. Includes the branches of refused turns.
  package private(set) var taken: [Int] = []

  package init() {}

  /// Clears `taken`.
  package func empty() { taken.removeAll(keepingCapacity: true) }

  /// Registers a branch and returns an instruction that records that the branch runs.
  func note(_ branch: Branch) -> Instruction {
    let number = branches.count
    branches.append(branch)
    return { [self] _, _ throws(Refusal) in
      taken.append(number)
      return nil
    }
  }
}
