package import CairnCore

/// An entry as the history shows it.
package struct HistoryItem: Sendable {
  package var entry: Entry
  /// The entry's.
  package var hash: UInt64
  package var transition: Transition
  /// The state that it was made from; nil: it is the first.
  package var before: State?
  package var after: State

  package init(entry: Entry, hash: UInt64, transition: Transition, before: State?, after: State) {
    self.hash = hash
    self.before = before
    self.after = after
    self.entry = entry
    self.transition = transition
  }
}
