package import CairnCore

/// An entry as the history shows it.
package struct HistoryItem: Sendable {
  package var entry: Entry
  package var transition: Transition

  package init(entry: Entry, transition: Transition) {
    self.entry = entry
    self.transition = transition
  }
}
