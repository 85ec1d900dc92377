package import CairnJournal

/// The part of a session's history that a request forgets.
package enum Forgetting: Sendable {
  /// Everything before the newest state.
  case all
  /// Everything before an earlier state.
  case before(PastState)
  /// Nothing, because that part is already forgotten. `first` is the first revision that can still be read.
  case nothing(first: Int)
}
