package import CairnCore

/// An entry with its transition and the states before and after it, for the history.
package struct HistoryItem: Sendable {
  package var entry: Entry
  /// The hash of the session's definition, if the entry set it; otherwise `nil`.
  package var definition: String?
  /// The hash of the entry.
  package var hash: UInt64
  /// The stored difference, in `StateFormat`.
  package var difference: [UInt8]
  package var transition: Transition
  /// The state before the entry; `nil` for the first entry.
  package var before: State?
  package var after: State
  /// The reducer of the session's definition after the entry.
  package var reducer: Reducer

  package init(
    entry: Entry, definition: String?, hash: UInt64, difference: [UInt8], transition: Transition, before: State?, after: State,
    reducer: Reducer
  ) {
    self.hash = hash
    self.difference = difference
    self.definition = definition
    self.reducer = reducer
    self.before = before
    self.after = after
    self.entry = entry
    self.transition = transition
  }
}
