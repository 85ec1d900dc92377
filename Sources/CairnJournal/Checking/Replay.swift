package import CairnCore

/// Replays a session's entries. The states come from the stored differences. The events are computed again, by running the reducer with the
/// same stamps.
package struct Replay {
  /// The reducer of the definition at the last replayed entry.
  package private(set) var reducer: Reducer
  package private(set) var state: State?
  /// The hash of the definition that the replayed entries set last; `nil` if none of them set one.
  package private(set) var definition: String?
  /// Returns the reducer of a definition by its hash, for entries that changed the session's definition.
  private let reducers: Reducers

  package typealias Reducers = @Sendable (_ definition: String) throws(JournalError) -> Reducer

  /// Starts a replay from `state`, which belongs to the definition of `reducer`. Without a state, the first entry to replay must be the
  /// first entry of the session.
  package init(_ reducer: Reducer, from state: State? = nil, reducers: @escaping Reducers) {
    self.reducer = reducer
    self.state = state
    self.reducers = reducers
  }

  /// Replays the next entry, and returns its transition. Throws `.unreadable` if the entry cannot be replayed, or if the result does not have the entry's
  /// revision. If another engine version wrote the entry, or if the entry replaced the state, the result contains only the changes, because the events cannot
  /// be recomputed.
  package mutating func run(_ entry: JournalEntry) throws(JournalError) -> Transition {
    let before = reducer
    try takeDefinition(of: entry)
    if entry.engine != Reducer.engine || entry.entry.isReplacement {
      return try follow(entry.entry.revision, entry.difference, from: before)
    }
    let transition = try ran(entry.entry).1
    let next = try applied(entry.difference, entry.entry.revision)
    guard next.revision == entry.entry.revision else {
      throw .unreadable("entry \(entry.entry.revision) produces revision \(next.revision)")
    }
    state = next
    return transition
  }

  /// Replays the next entry, and throws `.unreadable` if the stored state differs from the computed one. Two kinds of states are not
  /// compared: those that no action produced and, unless `ofAnyEngine` is set, those of another engine version.
  package mutating func check(_ entry: JournalEntry, ofAnyEngine: Bool = false) throws(JournalError) {
    let revision = entry.entry.revision
    try takeDefinition(of: entry)
    let stored = try applied(entry.difference, revision)
    guard stored.revision == revision else { throw .unreadable("entry \(revision) produces revision \(stored.revision)") }
    if ofAnyEngine || entry.engine == Reducer.engine, !entry.entry.isReplacement, try ran(entry.entry).0 != stored {
      throw .unreadable("entry \(revision): the stored difference leads to another state than the action")
    }
    state = stored
  }

  private mutating func takeDefinition(of entry: JournalEntry) throws(JournalError) {
    guard let definition = entry.definition else { return }
    reducer = try reducers(definition)
    self.definition = definition
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
      case (.creation, _), (.action, nil), (.replacement, _): break
      }
    } catch {
      throw .unreadable("entry \(entry.revision) cannot be replayed: \(error)")
    }
    throw .unreadable("entry \(entry.revision) is not in the order of the revisions")
  }

  private mutating func follow(_ revision: Int, _ difference: [UInt8], from other: Reducer) throws(JournalError) -> Transition {
    let before = state
    let next = try applied(difference, revision)
    state = next
    let held = next.pendingLinks.last.flatMap { link in before?.pendingLinks.contains(link) == true ? nil : link.id }
    let isHeld = held != nil || next.heldActions.last.map { action in before?.heldActions.contains(action) != true } ?? false
    return Transition(
      outcome: isHeld ? .pending : .performed, link: held,
      changes: before.map { reducer.changes(from: $0, by: other, to: next) } ?? [])
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

extension Entry {
  /// Whether no action produced the entry's state.
  package var isReplacement: Bool {
    if case .replacement = cause { true } else { false }
  }
}

extension DefinitionLibrary {
  /// Returns a function that finds the reducer of a definition in the journal, for `Replay`.
  package func reducers(in documents: any DocumentJournal) -> Replay.Reducers {
    { [self] (hash) throws(JournalError) in try definition(hash, in: documents).reducer }
  }
}
