import CairnCore

/// Makes moves, as `cairn test` does: the same moves from the same start lead to the same state.
struct Player {
  let reducer: Reducer
  let trail: Trail

  /// `reducer` knows the names that the states refer to.
  init(_ reducer: Reducer) {
    trail = Trail()
    self.reducer = Reducer(reducer, leaving: trail)
  }

  /// A session begins.
  func begin(_ start: Start) throws(Refusal) -> (state: State, transition: Transition) {
    trail.taken.removeAll()
    return try reducer.create(start.creation, stamp: Stamp(time: 0, nonce: "state0"))
  }

  /// Makes a move from a state that is so many moves away from the start. On a refusal the state is as it was.
  func make(_ move: Move, on state: inout State, depth: Int) throws(Refusal) -> Transition {
    trail.taken.removeAll(keepingCapacity: true)
    let nonce = "state\(depth + 1)"
    var meter = Meter(Bounds())
    switch move.deed {
    case .action(let action): return try reduce(&state, action, nonce, &meter)
    case .token: return try reduce(&state, .token, nonce, &meter)
    case .open(let url, _): return try open(url, &state, nonce, &meter)
    case .redirect(let url): return try open(url + (state.newestAuthorization ?? ""), &state, nonce, &meter)
    case .advance(let milliseconds, let times):
      var events: [Event] = []
      for _ in 0..<times { events = try advance(&state, by: milliseconds, nonce).events }
      return Transition(outcome: .performed, events: events)
    case .load(let completion): return try end(&state, completion, nonce, &meter) { !$0.isExchange }
    case .exchange(let completion): return try end(&state, completion, nonce, &meter) { $0.isExchange }
    }
  }

  private func open(_ url: String, _ state: inout State, _ nonce: String, _ meter: inout Meter) throws(Refusal) -> Transition {
    let action = try reducer.seal(.open(url: url), for: state).action
    return try reduce(&state, action, nonce, &meter)
  }

  private func reduce(_ state: inout State, _ action: Action, _ nonce: String, _ meter: inout Meter) throws(Refusal) -> Transition {
    try reducer.reduce(&state, action, stamp: Stamp(time: state.manualTime ?? 0, nonce: nonce), meter: &meter)
  }

  private func end(
    _ state: inout State, _ completion: Action.Completion, _ nonce: String, _ meter: inout Meter, where isMeant: (Effect) -> Bool
  ) throws(Refusal) -> Transition {
    guard let effect = state.effects.first(where: { $0.isRequest && isMeant($0) }) else {
      throw Refusal(.effectGone, "no request is running")
    }
    return try reduce(&state, .effect(id: effect.id, completion), nonce, &meter)
  }

  /// The clock goes on; a request that nobody answers ends on the way, when the service would end it.
  private func advance(
    _ state: inout State, by milliseconds: Int, _ nonce: String
  ) throws(Refusal) -> Transition {
    var meter = Meter(Bounds())
    var next = state
    var events: [Event] = []
    func pass(_ time: Int) throws(Refusal) {
      events += try reducer.advance(&next, by: time, nonce: nonce, meter: &meter) { _, _, _ in }.events
    }
    var left = milliseconds
    while let request = next.effects.filter(\.isRequest).min(by: { ($0.due, $0.id) < ($1.due, $1.id) }), let now = next.manualTime {
      let wait = max(0, request.due - now + CallLimit.time)
      guard wait <= left else { break }
      try pass(wait)
      left -= wait
      guard next.effects.contains(where: { $0.id == request.id }) else { continue }
      events += try reduce(&next, .effect(id: request.id, .failed("timeout")), nonce, &meter).events
    }
    if left > 0 { try pass(left) }
    state = next
    return Transition(outcome: .performed, events: events)
  }
}
