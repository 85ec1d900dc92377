import CairnCore

/// Replays a session's entries. The states are the stored ones; running the reducer with the same stamps yields the events.
struct Replay {
  private let reducer: Reducer
  private(set) var state: State?

  /// Continues from `state`. Without it the first entry must be the session's creation.
  init(_ reducer: Reducer, from state: State? = nil) {
    self.reducer = reducer
    self.state = state
  }

  /// Replays the next entry. Throws `.unreadable` if it does not lead to its revision. For an entry of another engine version only the changes are
  /// returned, because its events cannot be recomputed.
  mutating func run(_ entry: JournalEntry) throws(JournalError) -> Transition {
    if entry.engine != Reducer.engine { return try follow(entry.entry.revision, entry.difference) }
    let transition = try ran(entry.entry).1
    let next = try applied(entry.difference, entry.entry.revision)
    guard next.revision == entry.entry.revision else {
      throw .unreadable("entry \(entry.entry.revision) leads to revision \(next.revision)")
    }
    state = next
    return transition
  }

  /// Replays the next entry and throws `.unreadable` if the stored state differs from the computed one. States of another engine version are not
  /// compared.
  mutating func check(_ entry: JournalEntry) throws(JournalError) {
    let revision = entry.entry.revision
    let stored = try applied(entry.difference, revision)
    guard stored.revision == revision else { throw .unreadable("entry \(revision) leads to revision \(stored.revision)") }
    if entry.engine == Reducer.engine, try ran(entry.entry).0 != stored {
      throw .unreadable("entry \(revision): the state that is kept is not the one that it leads to")
    }
    state = stored
  }

  private func ran(_ entry: Entry) throws(JournalError) -> (State, Transition) {
    do throws(Refusal) {
      switch (entry.cause, state) {
      case (.creation(let creation), nil):
        let (first, transition) = try reducer.create(creation, stamp: entry.stamp)
        return (first, transition)
      case (.action(let action), var current?):
        let transition = try reducer.reduce(&current, action, stamp: entry.stamp)
        return (current, transition)
      case (.creation, _), (.action, nil): break
      }
    } catch {
      throw .unreadable("entry \(entry.revision) cannot be run again: \(error)")
    }
    throw .unreadable("entry \(entry.revision) is out of place")
  }

  private mutating func follow(_ revision: Int, _ difference: [UInt8]) throws(JournalError) -> Transition {
    let before = state
    let next = try applied(difference, revision)
    state = next
    let held = next.pendingLinks.last.flatMap { link in before?.pendingLinks.contains(link) == true ? nil : link.id }
    return Transition(
      outcome: held == nil ? .performed : .pending, link: held, changes: before.map { reducer.changes(from: $0, to: next) } ?? [])
  }

  private func applied(_ difference: [UInt8], _ revision: Int) throws(JournalError) -> State {
    var next = state ?? StateFormat.empty
    do {
      try StateFormat.apply(difference, to: &next)
    } catch {
      throw .unreadable("entry \(revision): \(error.reason)")
    }
    return next
  }
}
