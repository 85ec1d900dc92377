@testable import CairnCore
import CairnTesting
import Testing

@Suite struct `Messages` {
  private let reducer = Reducer(Trial.definition())

  private func begin() throws -> State {
    try reducer.create(Creation(environment: [:], manualClock: true, manualRequests: true), stamp: Stamp(time: 0, nonce: "n")).state
  }

  private func submit(_ key: String, _ amount: Int = 5) -> Action {
    .step(Step("submit", params: ["key": .string(key), "amount": .integer(WideInt(amount))]), from: nil)
  }

  @discardableResult private func run(_ action: Action, on state: inout State) throws -> Transition {
    try reducer.reduce(&state, action, stamp: Stamp(time: state.manualTime ?? 0, nonce: "n\(state.revision)"))
  }

  @Test func `at most a hundred messages wait`() throws {
    var state = try begin()
    for number in 1...100 { try run(submit("\(number)"), on: &state) }
    let before = state
    #expect(throws: Refusal.self) { try run(submit("101"), on: &state) }
    #expect(state == before)
    do { try run(submit("101"), on: &state) } catch let refusal as Refusal { #expect(refusal.code == .tooManyMessages) }
    #expect(try run(submit("7"), on: &state).reason == "already-sent")
    try run(.effect(id: 1, .loaded(.null)), on: &state)
    try run(submit("101"), on: &state)
    #expect(state.effects.filter(\.isMessage).count == 100)
  }

  @Test func `only the first message is under way, and the stored form is complete`() throws {
    var state = try begin()
    for number in 1...3 { try run(submit("\(number)"), on: &state) }
    #expect(state.effects.map(\.isIdle) == [false, true, true])
    #expect(throws: Refusal.self) { try run(.effect(id: 2, .loaded(.null)), on: &state) }
    try run(.effect(id: 1, .failed("timeout")), on: &state)
    #expect(state.effects.map(\.isIdle) == [false, true])
    try run(.effect(id: 2, .loaded(["receipt": 3])), on: &state)
    #expect(state.endedMessages.map(\.key) == ["1", "2"] && state.endedMessages.map(\.isDone) == [false, true])
    #expect(try StateFormat.state(StateFormat.snapshot(state), version: StateFormat.version) == state)
  }

  @Test func `differences contain the ends of messages`() throws {
    var state = try begin()
    var copy = try StateFormat.state(StateFormat.snapshot(state), version: StateFormat.version)
    let actions: [Action] = [
      submit("1"), .effect(id: 1, .failed("timeout")), submit("1"), .effect(id: 2, .loaded(7)), submit("2"), submit("3"),
      .effect(id: 3, .failed("http-status: 404")), .effect(id: 4, .loaded(.null)),
    ]
    for action in actions {
      let before = state
      try run(action, on: &state)
      try StateFormat.apply(StateFormat.difference(from: before, to: state), to: &copy)
      #expect(copy == state)
    }
    #expect(state.endedMessages.map(\.key) == ["1", "3"])
  }

  @Test func `a refusal frees the key, and another failure keeps the header`() throws {
    var state = try begin()
    try run(submit("1"), on: &state)
    let header = state.effects[0].message?.header
    try run(.effect(id: 1, .failed("http-status: 500")), on: &state)
    try run(submit("1"), on: &state)
    #expect(state.effects[0].message?.header == header)
    try run(.effect(id: 2, .failed("http-status: 403")), on: &state)
    try run(submit("1", 6), on: &state)
    #expect(state.effects[0].message?.header != header)
  }

  @Test(arguments: [
    (400, true), (401, true), (408, false), (409, false), (422, true), (425, false), (429, false), (500, false), (302, false),
  ])
  func `a status is a refusal or leaves the end open`(_ status: Int, _ isRefusal: Bool) {
    #expect(CallFailure(CallFailure.text(of: status)).isRefusal == isRefusal)
  }

  @Test func `the oldest results are removed, and their keys stay known`() throws {
    var state = try begin()
    let long = Value.string(String(repeating: "x", count: 30_000))
    for number in 1...3 {
      try run(submit("\(number)"), on: &state)
      try run(.effect(id: WideInt(number), .loaded(long)), on: &state)
    }
    #expect(state.endedMessages.map { $0.result != nil } == [false, true, true])
    let pages = reducer.routes(of: state).count
    let transition = try run(submit("1"), on: &state)
    #expect(transition.outcome == .unchanged && transition.reason == "message-known" && transition.tells(.messageKnown))
    try run(submit("3"), on: &state)
    #expect(reducer.routes(of: state).count == pages + 1)
  }

  @Test func `a fork begins without messages and knows the results`() throws {
    var state = try begin()
    for number in 1...3 { try run(submit("\(number)"), on: &state) }
    try run(.effect(id: 1, .loaded(1)), on: &state)
    let fork = reducer.forked(state, at: 0)
    #expect(!fork.hasMessages && fork.endedMessages.map(\.key) == ["1"])
  }

  @Test func `held messages are sent again only by a call with their key, with their header`() throws {
    var state = try begin()
    try run(submit("1"), on: &state)
    let header = state.effects[0].message?.header
    state = state.holdingMessages
    #expect(state.upcoming.isEmpty)
    try run(submit("2"), on: &state)
    #expect(state.upcoming.compactMap { $0.message?.key } == ["2"])
    try run(submit("1"), on: &state)
    try run(.effect(id: 2, .loaded(.null)), on: &state)
    #expect(state.upcoming.compactMap { $0.message?.header } == [header])
  }

  @Test func `an operator retries a held message, with its header and as a new effect`() throws {
    var state = try begin()
    try run(submit("1"), on: &state)
    try run(submit("2"), on: &state)
    let headers = state.effects.map { $0.message?.header }
    state = state.holdingMessages
    let transition = try run(.retry(key: "2"), on: &state)
    #expect(transition.outcome == .performed && transition.tells(.messageStarted))
    #expect(state.upcoming.map(\.id) == [3] && state.upcoming.map { $0.message?.header } == [headers[1]])
    // The second message waits for the first one, and a further retry changes nothing.
    try run(.retry(key: "1"), on: &state)
    #expect(state.upcoming.map(\.id) == [3])
    let again = try run(.retry(key: "1"), on: &state)
    #expect(again.outcome == .unchanged && again.reason == "already-sent")
    try run(.effect(id: 3, .loaded(.null)), on: &state)
    #expect(state.upcoming.map { $0.message?.header } == [headers[0]])
    #expect(try StateFormat.state(StateFormat.snapshot(state), version: StateFormat.version) == state)
  }

  @Test func `a retry of a held message sends the token that the session has now`() throws {
    var state = try begin()
    try run(.step(Step("submitOwn", params: ["key": "1"]), from: nil), on: &state)
    state = state.holdingMessages
    let before = state
    #expect { try run(.retry(key: "1"), on: &state) } throws: { ($0 as? Refusal)?.code == .tokenMissing }
    #expect(state == before)
    try run(.token, on: &state)
    try run(.retry(key: "1"), on: &state)
    #expect(state.upcoming.compactMap { $0.message?.hasToken } == [true])
  }

  @Test func `a retry of a message under way begins its time again, and keeps its effect`() throws {
    var state = try begin()
    try run(submit("1"), on: &state)
    let effect = state.effects[0]
    #expect(try run(.retry(key: "1"), on: &state).reason == "already-sent")
    _ = try reducer.advance(&state, by: 1_000, nonce: "a")
    #expect(try run(.retry(key: "1"), on: &state).outcome == .performed)
    #expect(state.effects.map(\.start) == [effect.start + 1_000] && state.effects.map(\.id) == [effect.id])
    #expect(state.effects[0].message == effect.message)
  }

  @Test func `a retry of a message that has ended or never existed is refused`() throws {
    var state = try begin()
    try run(submit("1"), on: &state)
    try run(.effect(id: 1, .loaded(.null)), on: &state)
    try run(submit("2"), on: &state)
    try run(.effect(id: 2, .failed("timeout")), on: &state)
    for (key, detail) in [("1", "with a response"), ("2", "without a response"), ("3", "no message with the key 3")] {
      #expect {
        try run(.retry(key: key), on: &state)
      } throws: {
        ($0 as? Refusal)?.code == .messageGone && ($0 as? Refusal)?.detail.contains(detail) == true
      }
    }
  }

  @Test func `a replica contains the key only`() throws {
    var state = try begin()
    try run(submit("1"), on: &state)
    let text = String(decoding: try ReplicaFormat.state(state, by: reducer), as: UTF8.self)
    #expect(text.contains(#""message":{"key":"1"#) && !text.contains("feed.example") && !text.contains("header"))
  }
}
