import CairnCore

/// Performs moves in the same way as `cairn test`: the same moves from the same start produce the same state. Requests end by moves, or by their timeout when
/// the manual clock passes it.
struct Player {
  let reducer: Reducer
  let trail: Trail

  /// Creates a player. `reducer` must be the reducer that created the states, because states refer to its names.
  init(_ reducer: Reducer) {
    trail = Trail()
    self.reducer = Reducer(reducer, leaving: trail)
  }

  /// Creates a session with the values of a start. Throws if the session cannot be created.
  func begin(_ start: Start) throws(Refusal) -> (state: State, transition: Transition) {
    trail.empty()
    return try reducer.create(start.creation, stamp: Stamp(time: 0, nonce: "state0"))
  }

  /// Performs a move in a state, and then the timers that are due without an advance. `depth` is the number of moves from the start. A refused move
  /// throws, and does not change the state.
  func make(_ move: Move, on state: inout State, depth: Int) throws(Refusal) -> Transition {
    var next = state
    var transition = try perform(move, on: &next, depth: depth)
    if next.hasDueTimer {
      var meter = Meter(Bounds())
      transition.events += try reducer.advance(&next, by: 0, nonce: "state\(depth + 1)", meter: &meter) { _, _, _ in }.events
    }
    state = next
    return transition
  }

  /// Performs an action of a user without a network. `covers` are the nodes that others have put on top since the user acted. A refused action throws,
  /// and does not change the state.
  func make(_ action: Action, under covers: [Cover] = [], on state: inout State) throws(Refusal) -> Transition {
    trail.empty()
    var meter = Meter(Bounds())
    let stamp = Stamp(time: state.manualTime ?? 0, nonce: "offline", covers: covers)
    return try reducer.reduce(&state, action, stamp: stamp, meter: &meter)
  }

  /// Performs `contact`, with which a client reports that it has sent everything. The service performs the entries that it has held for the client, and
  /// holds later ones until the client reports itself again. Throws if `contact` is refused.
  func report(to state: inout State) throws(Refusal) -> Transition {
    trail.empty()
    var meter = Meter(Bounds())
    let sender = Sender(client: "cairn-explore-offline", number: (state.clients.last?.number ?? 0) + 1)
    return try reducer.reduce(&state, .contact, stamp: Stamp(time: state.manualTime ?? 0, nonce: "offline", sender: sender), meter: &meter)
  }

  /// Returns the state after the timers that are due without an advance; the same state if none is due, or if the timers are refused.
  func settled(_ state: State, depth: Int) -> State {
    guard state.hasDueTimer else { return state }
    var next = state
    var meter = Meter(Bounds())
    let transition = try? reducer.advance(&next, by: 0, nonce: "state\(depth + 1)", meter: &meter) { _, _, _ in }
    return transition == nil ? state : next
  }

  private func perform(_ move: Move, on state: inout State, depth: Int) throws(Refusal) -> Transition {
    trail.empty()
    let nonce = "state\(depth + 1)"
    var meter = Meter(Bounds())
    switch move.deed {
    case .action(let action):
      // The URL of a notification may contain a secret. The other moves have sealed values.
      guard case .notification = action else { return try reduce(&state, action, nonce, &meter) }
      return try reduce(&state, try reducer.seal(.action(action), for: state).action, nonce, &meter)
    case .token: return try reduce(&state, .token, nonce, &meter)
    case .open(let url, _): return try open(url, &state, nonce, &meter)
    case .redirect(let url): return try open(url + (state.newestAuthorization ?? ""), &state, nonce, &meter)
    case .advance(let milliseconds, let times):
      var next = state
      var events: [Event] = []
      for _ in 0..<times {
        var meter = Meter(Bounds())
        events += try reducer.advance(&next, by: milliseconds, nonce: nonce, meter: &meter) { _, _, _ in }.events
      }
      state = next
      return Transition(outcome: .performed, events: events)
    case .end(let id, let completion):
      guard case .loaded(let value) = completion, let effect = state.effects.first(where: { $0.id == id }) else {
        return try reduce(&state, .effect(id: id, completion), nonce, &meter)
      }
      return try reduce(&state, effect.completed(with: value, for: state).action, nonce, &meter)
    }
  }

  private func open(_ url: String, _ state: inout State, _ nonce: String, _ meter: inout Meter) throws(Refusal) -> Transition {
    let action = try reducer.seal(.open(url: url), for: state).action
    return try reduce(&state, action, nonce, &meter)
  }

  private func reduce(_ state: inout State, _ action: Action, _ nonce: String, _ meter: inout Meter) throws(Refusal) -> Transition {
    try reducer.reduce(&state, action, stamp: Stamp(time: state.manualTime ?? 0, nonce: nonce), meter: &meter)
  }
}
