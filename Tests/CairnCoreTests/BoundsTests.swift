import CairnTesting
import Testing

@testable import CairnCore

private let app = """
  app: bounds
  language: 1
  compat: { emits: any }
  root: { flow: main }
  facts: { note: { type: any, default: null }, n: { type: integer, default: 0 } }
  screens: { home: {}, page: { params: { v: optional any } }, ticking: {} }
  steps: { up: { v: optional any }, note: { v: any }, five: {}, grow: {}, again: {}, watch: {}, wait: {}, more: {}, loop: {}, fetch: {}, came: {}, failed: {} }
  rules: [{ when: { fact: n, is: 1 }, send: loop }]
  flows:
    main:
      stack: home
      handle:
        up: { push: page, with: { v: $v } }
        note: { write: { note: $v } }
        five: { set: [page, page, page, page, page] }
        grow: [{ write: { note: ["$fact.note", "$fact.note"] } }, { send: again }]
        again: { send: grow }
        watch: { push: ticking, timer: { every: 1s, send: loop } }
        wait: [{ timer: { after: 1s, send: up, covered: fire } }]
        more: { send: up }
        loop: { send: loop }
        fetch: { load: { value: 7, delay: 1s, then: loop, else: failed } }
        failed: { write: { n: 1 } }
        came: []
  """

@Suite struct `Bounds of sessions and requests` {
  let reducer: Reducer
  var state: State
  var time = 1_000

  init() throws {
    let drive = try Drive(app, creation: Creation(manualClock: true))
    (reducer, state) = (drive.reducer, drive.state)
  }

  /// The code of the refusal of the steps, posted as one request; `nil` if they are accepted.
  private mutating func refusal(_ steps: [Step], _ bounds: Bounds = Bounds()) -> Refusal.Code? {
    var (meter, next) = (Meter(bounds), state)
    do throws(Refusal) {
      for step in steps {
        time += 1
        _ = try reducer.reduce(&next, .step(step, from: nil), stamp: Stamp(time: time, nonce: "n"), meter: &meter)
      }
      state = next
      return nil
    } catch {
      return error.code
    }
  }

  @Test mutating func `a node over the bound is rejected, also in a later turn, and its action is undone`() {
    let bounds = Bounds(nodes: 10)
    #expect(refusal(Array(repeating: Step("up"), count: 8), bounds) == nil)
    let before = state
    #expect(refusal([Step("up")], bounds) == .sessionTooLarge)
    #expect(refusal([Step("more")], bounds) == .sessionTooLarge)
    #expect(state == before)
    #expect(refusal([Step("up")], Bounds(nodes: 11)) == nil)
  }

  @Test mutating func `an effect over the bound is rejected`() {
    let bounds = Bounds(effects: 3)
    #expect(refusal(Array(repeating: Step("wait"), count: 3), bounds) == nil)
    #expect(refusal([Step("wait")], bounds) == .sessionTooLarge)
    #expect(refusal([Step("fetch")], bounds) == .sessionTooLarge)
  }

  @Test mutating func `a value over the bound is rejected, also one that grows step by step`() {
    let bounds = Bounds(value: 1_000)
    #expect(refusal([Step("note", params: ["v": .string(String(repeating: "x", count: 1_001))])], bounds) == .valueTooLarge)
    #expect(refusal([Step("note", params: ["v": .string(String(repeating: "x", count: 900))])], bounds) == nil)
    #expect(refusal([Step("grow")], bounds) == .valueTooLarge)
    #expect(state.facts["note"] == .string(String(repeating: "x", count: 900)))
  }

  @Test mutating func `a state over the bound is rejected, and a change that shrinks it is accepted`() {
    let page = Step("up", params: ["v": .string(String(repeating: "x", count: 900))])
    #expect(refusal(Array(repeating: page, count: 9), Bounds()) == nil)
    let small = Bounds(state: 5_000)
    #expect(refusal([page], small) == .sessionTooLarge)
    var meter = Meter(small)
    let pop = Action.pop(count: 1, node: nil)
    #expect(throws: Never.self) { try reducer.reduce(&state, pop, stamp: Stamp(time: 9, nonce: "n"), meter: &meter) }
    #expect(refusal([page], small) == .sessionTooLarge)
  }

  @Test mutating func `the estimated size of a state is at least its size, and stays below the bound`() throws {
    let page = Step("up", params: ["v": .string(String(repeating: "x", count: 500))])
    #expect(refusal([page]) == nil)
    for _ in 0..<3_000 {
      var meter = Meter(Bounds())
      time += 1
      let action: Action = time % 2 == 0 ? .step(page, from: nil) : .pop(count: 1, node: nil)
      _ = try reducer.reduce(&state, action, stamp: Stamp(time: time, nonce: "n"), meter: &meter)
      #expect(try #require(state.weight) >= state.size)
      #expect(try #require(state.weight) <= Bounds().state)
    }
  }

  @Test mutating func `the work of all actions and turns of a request counts together`() {
    let bounds = Bounds(work: 1_000)
    #expect(refusal(Array(repeating: Step("up"), count: 20), bounds) == nil)
    #expect(refusal(Array(repeating: Step("up"), count: 100), bounds) == .tooMuchWork)
    #expect(refusal([Step("loop")], bounds) == .tooMuchWork)
    #expect(refusal([Step("loop")]) == .stepLoop)
  }

  @Test mutating func `a request may write at most four times the maximum state`() {
    let page = Step("note", params: ["v": .string(String(repeating: "x", count: 60_000))])
    #expect(refusal(Array(repeating: page, count: 40)) == .tooMuchWork)
  }

  @Test mutating func `the advances of one request share the bound on ticks`() throws {
    _ = refusal([Step("wait"), Step("wait"), Step("wait")])
    let before = state
    var meter = Meter(Bounds(ticks: 2))
    #expect(throws: Refusal.self) { try reducer.advance(&state, by: 5_000, nonce: "a", meter: &meter) { _, _, _ in } }
    #expect(state == before)
    meter = Meter(Bounds(ticks: 3))
    _ = try reducer.advance(&state, by: 5_000, nonce: "a", meter: &meter) { _, _, _ in }
    #expect(state.effects.isEmpty)
    _ = refusal([Step("wait")])
    #expect(throws: Refusal.self) { try reducer.advance(&state, by: 5_000, nonce: "b", meter: &meter) { _, _, _ in } }
  }

  @Test mutating func `replay without bounds gives the same entry`() throws {
    _ = refusal([Step("watch"), Step("up"), Step("five")])
    var (first, second) = (state, state)
    var meter = Meter(Bounds())
    let stamp = Stamp(time: 5_000, nonce: "n")
    let bounded = try reducer.reduce(&first, .step(Step("up"), from: nil), stamp: stamp, meter: &meter)
    #expect(try reducer.reduce(&second, .step(Step("up"), from: nil), stamp: stamp) == bounded)
    #expect(first == second)
  }

  @Test mutating func `a URL over the maximum length is rejected`() {
    var meter = Meter(Bounds())
    let url = "x://y/" + String(repeating: "z", count: 8_000)
    for action in [Action.open(url: url), .notification(url: url, category: nil, tap: false, appState: .background)] {
      do {
        _ = try reducer.reduce(&state, action, stamp: Stamp(time: 1, nonce: "n"), meter: &meter)
        Issue.record("it was taken")
      } catch {
        #expect(error.code == .valueTooLarge)
      }
    }
  }
}

@Suite struct `A timer whose turns loop forever` {
  @Test func `the timer ends as failed, is reported, and a manual clock continues`() throws {
    var drive = try Drive(app, creation: Creation(manualClock: true))
    drive.step("watch")
    drive.advance(10_000)
    #expect(drive.outcome == "performed")
    #expect(drive.state.effects.isEmpty)
    let failed = drive.last.events.filter { $0.type == .timerFailed }
    #expect(failed.map(\.reason) == ["step-loop"] && failed.map(\.step) == ["loop"] && failed.map(\.node) == [drive.id("ticking")])
    #expect(drive.entries.contains { $0.cause == .action(.effect(id: 1, .abandoned("step-loop"))) })
    #expect(try drive.replayed() == drive.state)
    #expect(drive.broken == [])
  }

  @Test func `a load ends as failed too, and its failure handler is not repeated`() throws {
    var drive = try Drive(app, creation: Creation(manualClock: true))
    drive.step("fetch")
    drive.advance(10_000)
    #expect(drive.state.effects.isEmpty)
    #expect(drive.state.nodes[drive.id("home")]?.content == Content(status: .failed, error: "step-loop"))
    #expect(drive.state.facts["n"] == 0)
    #expect(try drive.replayed() == drive.state)
  }
}

@Suite struct `Extreme numbers` {
  @Test func `a manual clock stops at the end of the year 9999`() throws {
    var drive = try Drive(app, creation: Creation(manualClock: true))
    drive.post(.advance(by: .max))
    #expect(drive.outcome == "invalid")
    drive.advance(.max)
    #expect(drive.outcome == "invalid")
    drive.advance(-1)
    #expect(drive.outcome == "invalid")
    drive.advance(State.latestTime - 1_000)
    #expect(drive.state.manualTime == State.latestTime)
    drive.advance(1)
    #expect(drive.outcome == "invalid")
    #expect(drive.state.manualTime == State.latestTime)
  }

  @Test(arguments: [Int.max, .max - 1, .min, 0]) func `a state with any time in it can be read, run and advanced without a trap`(end: Int)
    throws
  {
    var state = try Drive(app, creation: Creation(manualClock: true)).state
    let reducer = try Drive(app).reducer
    state.manualTime = end
    for work: Effect.Work in [
      .timer(name: nil, step: Step("came"), delay: .max, period: .max, ticks: .max),
      .timer(name: nil, step: Step("came"), delay: 1, period: 1, ticks: 0), .value(1, delay: .max, then: nil, otherwise: nil),
      .request(url: "u", bearer: false, delay: .max, then: nil, otherwise: nil),
    ] {
      for start in [Int.min, 0, .max] {
        state.effects = [Effect(id: 1, owner: state.root, start: start, work: work)]
        state.nextEffect = 2
        let effect = state.effects[0]
        for time in [Int.min, 0, .max] { _ = (effect.due, effect.tick(at: time), effect.due(tick: .max)) }
        var next = state
        for step in ["watch", "wait"] {
          _ = try? reducer.reduce(&next, .step(Step(step), from: nil), stamp: Stamp(time: end, nonce: "n"))
        }
        _ = try? reducer.advance(&next, by: 1_000, nonce: "n")
        _ = try? reducer.advance(&next, by: .max, nonce: "n")
      }
    }
  }
}
