package import CairnJournal

/// The part of a session's history that a request forgets.
package enum Forgetting: Sendable {
  /// Everything before the newest state.
  case all
  /// Everything before an earlier state.
  case before(PastState)
  /// Nothing, because it is forgotten already. The history begins with this revision.
  case nothing(first: Int)
}
