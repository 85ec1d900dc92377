import CairnCore
import CairnScenario
import CairnTesting

/// A session in the service's reducer, and a replica of it, which must give the same results. Records the calls of the engine with the results of the service's
/// reducer, so that Tests/engine/replay.mjs can compare the WebAssembly build of the engine with them.
struct EngineRecording {
  /// The calls in order, each with its input, its output and the view after it.
  private(set) var calls: [EngineCall] = []
  /// The differences between the replica and the service.
  private(set) var faults: [String] = []
  /// The number of actions that the replica showed before the service ran them.
  private(set) var predicted = 0
  /// The service's state, which contains all actions.
  private(set) var state: State

  private let reducer: Reducer
  private var replica: Replica
  /// The shown state, as the service's reducer computes it, and the newest confirmed revision.
  private var shown: State
  private var revision: Int
  private var waiting: [Sent] = []
  private var number: WideInt = 0
  private var time: WideInt

  /// An action whose confirmation has not reached the client. `after` is `nil` if the service refused the action or the action changed nothing.
  private struct Sent {
    let number: WideInt
    let before: State
    let after: State?
    let isShown: Bool
  }

  /// Begins a session on a manual clock. Throws if the definition loops at its start.
  init(_ definition: Definition, time: WideInt = 1_000) throws {
    let reducer = Reducer(definition)
    try self.init(reducer, state: reducer.create(Creation(manualClock: true), stamp: Stamp(time: time, nonce: "start")).state, time: time)
  }

  /// Begins with an existing session.
  init(_ reducer: Reducer, state: State, time: WideInt = 1_000) throws {
    self.time = time
    self.reducer = reducer
    self.state = state
    shown = state
    revision = state.revision
    let travelled = DefinitionFormat.bytes(reducer.definition)
    let start = try ReplicaFormat.state(state, by: reducer)
    replica = try Replica(DefinitionFormat.read(travelled), state: start)
    calls = [EngineCall("define", input: travelled)]
    note(EngineCall("begin", input: start))
  }

  /// Posts an action as the client, to be confirmed later. Runs the action in the service if engines cannot parse it.
  mutating func act(_ action: Action) {
    guard let posted = Self.posted(action) else { return serve(action) }
    time += 7
    let before = state
    let (expected, after) = reduce(posted)
    note(posted, expected, before, after)
  }

  /// Posts a command of a scenario as the client. Runs the command in the service if engines cannot parse it.
  mutating func act(_ ran: ScenarioRun.Ran) {
    if case .action(let action) = ran.command, let posted = Self.posted(action) {
      time += 7
      state = ran.states.last ?? ran.before
      let (expected, after) = Self.outcome(ran.result, from: ran.before, to: state)
      note(posted, expected, ran.before, after)
    } else {
      for state in ran.states { reach(state) }
    }
  }

  /// Continues with the state to which the service has changed the session.
  mutating func reach(_ after: State) {
    confirmAll()
    let before = state
    state = after
    if before.revision != after.revision { confirm(from: before, to: after, isShown: false, number: nil) }
  }

  /// The action as an engine parses it from JSON; `nil` if an engine cannot parse it.
  private static func posted(_ action: Action) -> Action? {
    (try? JSONDocument.read(json { action.write(to: &$0) }, depthLimit: 64) { Action(posted: $0) }) ?? nil
  }

  private mutating func note(_ posted: Action, _ outcome: ReplicaPrediction, _ before: State, _ after: State?) {
    var expected = outcome
    number += 1
    let native = replica.predict(posted, number: number, at: time)
    // Only the service knows whether a write changes a hidden fact, so the replica shows no change.
    if native == .unpredictable || after == nil && native == .shown(changes: [], created: []) { expected = native }
    // Only the service knows which keys of messages have been used. The client shows the effects of a new key.
    let isWrong = native != expected && before.hasMessages
    if isWrong { (expected, shown) = (native, replica.shown) }
    if native != expected { faults.append("\(posted) is predicted as \(native), and gives \(expected)") }
    var isShown = false
    if case .shown = expected, let after, !isWrong { (isShown, shown, predicted) = (true, after, predicted + 1) }
    note(
      EngineCall(
        "predict", number: number, time: time, input: Self.json { posted.write(to: &$0) }, output: Self.json { expected.write(to: &$0) }))
    waiting.append(Sent(number: number, before: before, after: after, isShown: isShown))
    if waiting.count == 3 || native == .unpredictable || isWrong { confirmAll() }
  }

  /// Runs an action of the service or of another client.
  mutating func serve(_ action: Action) {
    confirmAll()
    let before = state
    if let after = reduce(action).after { confirm(from: before, to: after, isShown: false, number: nil) }
  }

  /// Advances the manual clock, which ends timers and loads.
  mutating func advance(_ milliseconds: WideInt) {
    confirmAll()
    var steps: [(before: State, after: State)] = []
    var meter = Meter.idle
    _ = try? reducer.advance(&state, by: milliseconds, nonce: "tick", meter: &meter) { _, before, after in steps.append((before, after)) }
    for step in steps { confirm(from: step.before, to: step.after, isShown: false, number: nil) }
  }

  /// Delivers all confirmations to the client.
  mutating func confirmAll() {
    let arriving = waiting
    waiting = []
    for sent in arriving {
      if let after = sent.after {
        confirm(from: sent.before, to: after, isShown: sent.isShown, number: sent.number)
      } else {
        compare(replica.drop(sent.number), ReplicaUpdate())
        note(EngineCall("confirm", input: Array("\(sent.number)".utf8), output: Self.bytes(ReplicaUpdate())))
      }
    }
  }

  private mutating func confirm(from before: State, to after: State, isShown: Bool, number: WideInt?) {
    var expected = ReplicaUpdate()
    if !isShown {
      expected.changes = reducer.changes(from: shown, to: after)
      shown = after
    }
    revision = after.revision
    do {
      let difference = try ReplicaFormat.difference(StateFormat.difference(from: before, to: after), by: reducer)
      compare(try replica.confirm(difference, number: number), expected)
      note(EngineCall("confirm", input: Array("\(number ?? 0) ".utf8) + difference, output: Self.bytes(expected)))
    } catch {
      faults.append("a difference is not read: \(error)")
    }
  }

  /// Runs an action in the service. Returns its result as a prediction, and the state after it; `nil` if it was refused or changed nothing.
  private mutating func reduce(_ action: Action) -> (prediction: ReplicaPrediction, after: State?) {
    var next = state
    do throws(Refusal) {
      let sealed = try reducer.seal(.action(action), for: state)
      let stamp = Stamp(time: state.manualTime ?? time, nonce: "nonce\(time)")
      let transition = try reducer.reduce(&next, sealed.action, stamp: stamp)
      defer { if transition.outcome != .unchanged { state = next } }
      return Self.outcome(.success(transition), from: state, to: next)
    } catch {
      return (.refused(error), nil)
    }
  }

  /// The result of an action as a prediction, and the state after it; `nil` if it changed nothing.
  private static func outcome(
    _ result: Result<Transition, Refusal>, from before: State, to after: State
  ) -> (prediction: ReplicaPrediction, after: State?) {
    switch result {
    case .failure(let refusal): return (.refused(refusal), nil)
    case .success(let transition):
      guard transition.outcome != .unchanged else { return (.unchanged(reason: transition.reason ?? ""), nil) }
      let created = (before.nextNode..<after.nextNode).map { NodeID($0) }
      return (.shown(changes: transition.changes, created: created, exits: transition.tells(.exit)), after)
    }
  }

  private mutating func compare(_ native: ReplicaUpdate, _ expected: ReplicaUpdate) {
    if native != expected { faults.append("a confirmation gives \(native), not \(expected)") }
  }

  private static func bytes(_ update: ReplicaUpdate) -> [UInt8] { json { update.write(to: &$0) } }

  /// Records a call with the expected view, and compares the replica's view with it.
  private mutating func note(_ call: EngineCall) {
    let view = Self.members { reducer.writeView(of: shown, confirmed: revision, to: &$0) }
    let native = Self.members { replica.writeView(to: &$0) }
    if native != view {
      faults.append("\(call.name): shows \(String(decoding: native, as: UTF8.self)), not \(String(decoding: view, as: UTF8.self))")
    }
    var call = call
    call.view = view
    calls.append(call)
  }

  private static func members(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    json { writer in
      writer.beginObject()
      write(&writer)
      writer.endObject()
    }
  }

  private static func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    // These sessions contain no number that JSON cannot represent.
    return (try? writer.bytes()) ?? []
  }
}

extension State {
  /// Whether the service has started or completed a message of the session.
  fileprivate var hasMessages: Bool { !endedMessages.isEmpty || effects.contains(where: \.isMessage) }
}
