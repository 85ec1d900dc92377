package import CairnCore

/// An entry with its effects, for the history.
package struct HistoryItem: Sendable {
  package var entry: Entry
  /// The hash of the entry.
  package var hash: UInt64
  package var transition: Transition
  /// The state before the entry; `nil` for the first entry.
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
