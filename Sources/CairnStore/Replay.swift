import CairnCore

/// A session made again from its entries. The same reducer, the same stamps: the same states.
struct Replay {
  private let reducer: Reducer
  private(set) var state: State?

  /// Goes on from `state`; nil: the first entry is to come.
  init(_ reducer: Reducer, from state: State? = nil) {
    self.reducer = reducer
    self.state = state
  }

  /// Runs the next entry. Throws `.unreadable` if it does not lead to its revision.
  mutating func run(_ entry: Entry) throws(JournalError) -> Transition {
    let transition: Transition
    do {
      switch (entry.cause, state) {
      case (.creation(let creation), nil):
        let (first, start) = try reducer.create(creation, stamp: entry.stamp)
        state = first
        transition = start
      case (.action(let action), var current?):
        state = nil
        transition = try reducer.reduce(&current, action, stamp: entry.stamp)
        state = current
      case (.creation, _), (.action, nil):
        throw JournalError.unreadable("entry \(entry.revision) is out of place")
      }
    } catch let error as JournalError {
      throw error
    } catch {
      throw .unreadable("entry \(entry.revision) cannot be run again: \(error)")
    }
    guard state?.revision == entry.revision else {
      throw .unreadable("entry \(entry.revision) leads to revision \(state?.revision ?? 0)")
    }
    return transition
  }
}
