import CairnDefinition
import CairnRuntime
import CairnTesting
import Testing

@testable import CairnCore

/// A replica has no tzdata. It computes times of day only with the offsets that the service has stored in the session.
@Suite struct `Time zones in a replica` {
  private static let day = 86_400_000

  private static func app(_ facts: String = "zone: { type: string, default: Europe/Berlin }") -> String {
    """
    app: zones
    language: 1
    root: main
    facts: { \(facts) }
    screens: { home: { emits: { asked: null, set: null, moved: { zone: string } } }, early: { emits: [asked, set, moved] }, late: { emits: [asked, set, moved] } }
    flows:
      main:
        stack: home
        handle:
          asked:
            - { when: { between: ["01:45", "02:30"], zone: $fact.zone }, do: { push: early } }
            - { do: { push: late } }
          set: { timer: { daily: "02:30", zone: $fact.zone, send: rang }, of: flow }
          moved: { write: { zone: $zone } }
          rang: []
    """
  }

  private let reducer: Reducer
  private var service: State

  init() throws { (reducer, service) = try Self.start(Self.app()) }

  /// A service with tzdata, and the state of a session that began on 20 October 2026.
  private static func start(_ text: String) throws -> (Reducer, State) {
    let definition = try DefinitionLoader.load(file: "zones.yaml", text: text).definition
    let reducer = Reducer(definition, zones: ZoneFiles.content)
    return (reducer, try reducer.create(Creation(), stamp: Stamp(time: Self.moment("2026-10-20T12:00:00Z"), nonce: "start")).state)
  }

  private static func moment(_ text: String) throws -> Int { try #require(ISOTime.milliseconds(text)) }

  private func replica() throws -> Replica {
    try Replica(DefinitionFormat.read(DefinitionFormat.bytes(reducer.definition)), state: ReplicaFormat.state(service, by: reducer))
  }

  /// The state in the service after a step.
  private func after(_ step: Step, at time: Int) throws -> State {
    var state = service
    _ = try reducer.reduce(&state, .step(step, from: nil), stamp: Stamp(time: time, nonce: "n\(time)"))
    return state
  }

  /// The prediction of a new replica for a step.
  private func predict(_ step: String, at time: Int) throws -> ReplicaPrediction {
    var replica = try replica()
    return replica.predict(.step(Step(step), from: nil), number: 1, at: time)
  }

  @Test(arguments: [
    // The clock of Berlin shows 02:00 to 03:00 twice, and 02:30 counts the first time.
    ("2026-10-24T23:44:59.999Z", "late"), ("2026-10-24T23:45:00Z", "early"), ("2026-10-25T00:29:59.999Z", "early"),
    ("2026-10-25T00:30:00Z", "late"), ("2026-10-25T01:15:00Z", "late"), ("2026-10-26T00:45:00Z", "early"), ("2026-10-26T01:30:00Z", "late"),
    // The clock skips 02:00 to 03:00, and 02:30 counts as 03:30.
    ("2027-03-28T00:44:59.999Z", "late"), ("2027-03-28T00:45:00Z", "early"), ("2027-03-28T01:29:59.999Z", "early"),
    ("2027-03-28T01:30:00Z", "late"), ("2027-03-28T23:45:00Z", "early"), ("2027-03-29T00:30:00Z", "late"),
  ])
  func `the branch of a prediction is that of the service, across both changes of the clock`(text: String, screen: String) throws {
    var test = self
    test.service = try after(Step("set"), at: Self.moment("2026-10-20T12:00:00Z"))
    #expect(test.service.zones.map(\.name) == ["Europe/Berlin"])
    let time = try Self.moment(text)
    var replica = try test.replica()
    guard case .shown = replica.predict(.step(Step("asked"), from: nil), number: 1, at: time) else { throw NeverCame("a prediction") }
    let served = try test.after(Step("asked"), at: time)
    #expect(replica.tree.sketch == "main[home, \(screen)]" && replica.tree == reducer.tree(of: served))
    let update = try replica.confirm(
      ReplicaFormat.difference(StateFormat.difference(from: test.service, to: served), by: reducer), number: 1)
    #expect(update.changes == [])
  }

  @Test(arguments: [
    ("2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"), ("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),
    ("2027-03-27T12:00:00Z", "2027-03-28T01:30:00Z"), ("2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z"),
  ])
  func `a daily timer that is predicted has the moment that it has in the service`(started: String, due: String) throws {
    var test = self
    test.service = try after(Step("asked"), at: Self.moment("2026-10-20T12:00:00Z"))
    var replica = try test.replica()
    let time = try Self.moment(started)
    guard case .shown = replica.predict(.step(Step("set"), from: nil), number: 1, at: time) else { throw NeverCame("a prediction") }
    #expect(try replica.shown.effects.map(\.due) == [Self.moment(due)])
    #expect(try test.after(Step("set"), at: time).effects.map(\.due) == [Self.moment(due)])
  }

  @Test func `an action that reaches the service later has the branch of the time at which the service runs it`() throws {
    var test = self
    test.service = try after(Step("set"), at: Self.moment("2026-10-20T12:00:00Z"))
    var replica = try test.replica()
    // It is noon in Berlin when the action is predicted, and two o'clock at night when the service runs it.
    let predicted = replica.predict(.step(Step("asked"), from: nil), number: 1, at: try Self.moment("2026-10-21T10:00:00Z"))
    guard case .shown = predicted else { throw NeverCame("a prediction") }
    #expect(replica.tree.sketch == "main[home, late]")
    let served = try test.after(Step("asked"), at: Self.moment("2026-10-22T00:00:00Z"))
    let update = try replica.confirm(
      ReplicaFormat.difference(StateFormat.difference(from: test.service, to: served), by: reducer), number: 1)
    #expect(!update.changes.isEmpty && replica.waiting == [])
    #expect(replica.tree.sketch == "main[home, early]" && replica.tree == reducer.tree(of: served))
  }

  @Test func `nothing is predicted with offsets that are not stored`() throws {
    let start = try Self.moment("2026-10-20T12:00:00Z")
    // No action of the session has read a zone, so the session has no stored offsets.
    for step in ["asked", "set"] { #expect(try predict(step, at: start) == .unpredictable) }
    var test = self
    test.service = try after(Step("asked"), at: start)
    for step in ["asked", "set"] {
      guard case .shown = try test.predict(step, at: start + 398 * Self.day - 1) else { throw NeverCame("a prediction") }
      #expect(try test.predict(step, at: start + 398 * Self.day) == .unpredictable, "after the stored period")
      #expect(try test.predict(step, at: start - Self.day - 1) == .unpredictable, "before the stored period")
    }
    test.service = try test.after(Step("moved", params: ["zone": "Asia/Tokyo"]), at: start)
    for step in ["asked", "set"] { #expect(try test.predict(step, at: start) == .unpredictable, "another zone") }
    test.service = try test.after(Step("asked"), at: start)
    #expect(test.service.zones.map(\.name) == ["Asia/Tokyo", "Europe/Berlin"])
    guard case .shown = try test.predict("set", at: start) else { throw NeverCame("a prediction") }
  }

  @Test func `the offsets do not leave the service if the app hides a fact`() throws {
    let start = try Self.moment("2026-10-20T12:00:00Z")
    let hidden = "zone: { type: string, default: Europe/Berlin }, plan: { type: string, default: a, env: PLAN }"
    let (reducer, first) = try Self.start(Self.app(hidden))
    var state = first
    _ = try reducer.reduce(&state, .step(Step("asked"), from: nil), stamp: Stamp(time: start, nonce: "n"))
    #expect(state.zones.map(\.name) == ["Europe/Berlin"])
    var replica = try Replica(reducer.definition, state: ReplicaFormat.state(state, by: reducer))
    #expect(replica.confirmed.zones == [])
    #expect(replica.predict(.step(Step("set"), from: nil), number: 1, at: start) == .unpredictable)
  }
}
