package import CairnCore

/// An entry as the history shows it.
package struct HistoryItem: Sendable {
  package var entry: Entry
  package var transition: Transition
  /// The state that it was made from; nil: it is the first.
  package var before: State?
  package var after: State

  package init(entry: Entry, transition: Transition, before: State?, after: State) {
    self.before = before
    self.after = after
    self.entry = entry
    self.transition = transition
  }
}
