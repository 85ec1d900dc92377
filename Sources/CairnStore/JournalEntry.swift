package import CairnCore

/// An entry with what it changed in the state.
package struct JournalEntry: Hashable, Sendable {
  package var entry: Entry
  /// `Reducer.engine` when it was made.
  package var engine: Int
  /// In the current `StateFormat`, from the state before; the first entry's from `StateFormat.empty`. nil: the first version kept none.
  package var difference: [UInt8]?
  /// When the session's effects have to be looked at after it, milliseconds since 1970, 0 for at once; nil: it has none, or none by
  /// this clock.
  package var due: Int?

  package init(_ entry: Entry, engine: Int = Reducer.engine, difference: [UInt8]?, due: Int? = nil) {
    self.entry = entry
    self.engine = engine
    self.difference = difference
    self.due = due
  }

  /// The entry that led from a state to another.
  package init(_ entry: Entry, from before: State, to after: State) {
    self.init(entry, difference: StateFormat.difference(from: before, to: after), due: after.wakeTime)
  }
}
