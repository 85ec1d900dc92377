/// The branches of handlers that ran, in order, for explorations.
///
/// Unchecked: a recording reducer belongs to one thread.
package final class Trail: @unchecked Sendable {
  /// A branch of a handler.
  package struct Branch: Hashable, Sendable {
    package var flow: String
    package var step: String
    /// The index in the handler, from 0.
    package var index: Int
  }

  /// All branches by flow, step and index. The numbers in `taken` are indices of this array.
  package private(set) var branches: [Branch] = []
  /// The branches that ran since the last `empty`, including those of refused turns.
  package private(set) var taken: [Int] = []

  package init() {}

  /// Removes the recorded branches.
  package func empty() { taken.removeAll(keepingCapacity: true) }

  /// An instruction that records that this branch runs.
  func note(_ branch: Branch) -> Instruction {
    let number = branches.count
    branches.append(branch)
    return { [self] _, _ throws(Refusal) in
      taken.append(number)
      return nil
    }
  }
}
