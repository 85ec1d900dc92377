import CairnAPI
import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite struct `Response bodies` {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (1_709_251_199_999, "2024-02-29T23:59:59.999Z"), (4_107_542_400_007, "2100-03-01T00:00:00.007Z"),
    (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (Int.min, "-292275055-05-16T16:47:04.192Z"),
    (Int.max, "292278994-08-17T07:12:55.807Z"),
  ])
  func `times are RFC 3339 in UTC with milliseconds`(milliseconds: Int, text: String) {
    #expect(Timestamp.text(milliseconds) == text)
  }

  /// The days begin in 1696, because Foundation uses the Julian calendar before 1582.
  @Test func `times equal those of Foundation on ten thousand days`() {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for day in stride(from: -100_000, to: 300_000, by: 40) {
      let milliseconds = day * 86_400_000 + 45_296_000
      #expect(Timestamp.text(milliseconds) == Date(timeIntervalSince1970: Double(milliseconds / 1_000)).formatted(format))
    }
  }

  @Test func `bodies have sorted members, end with a line feed, and are indented on request`() throws {
    let body: Value = ["b": "https://x/y", "a": 1]
    #expect(String(decoding: try JSONText.bytes(body), as: UTF8.self) == "{\"a\":1,\"b\":\"https://x/y\"}\n")
    #expect(String(decoding: try JSONText.bytes(body, pretty: true), as: UTF8.self).contains("\n  \"a\" : 1,\n"))
  }

  @Test func `an empty array or object is not broken into lines, and strings are unchanged`() throws {
    let body: Value = ["a": [], "b": [:], "c": ["x[{\"", 1]]
    let text = "{\n  \"a\" : [],\n  \"b\" : {},\n  \"c\" : [\n    \"x[{\\\"\",\n    1\n  ]\n}\n"
    #expect(String(decoding: try JSONText.bytes(body, pretty: true), as: UTF8.self) == text)
  }

  @Test func `a number that JSON cannot represent is rejected`() {
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(throws: UnwritableNumber.notFinite) { try JSONText.bytes(["a": Value.number(number)]) }
    }
  }

  /// Compares the members of responses, their values, and which members are omitted.
  @Test func `responses equal the recorded ones`() throws {
    let made = try AnswerCases.made()
    if ProcessInfo.processInfo.environment["CAIRN_RECORD_DRIVES"] != nil { try AnswerCases.record(made) }
    let recorded = try AnswerCases.recorded()
    #expect(made.count == recorded.count)
    for (name, bytes) in made {
      #expect(try FoundationJSON.value(Data(bytes)) == recorded[name], "\(name)")
      #expect(bytes.last == UInt8(ascii: "\n") && !bytes.dropLast().contains(UInt8(ascii: "\n")), "\(name)")
    }
  }

  @Test func `a problem has the members of RFC 9457 and the errors with their pointers`() throws {
    let refusal = Refusal(
      .invalid, "no such step", faults: [.init(pointer: "/params/a b~1", detail: "must be …"), .init(pointer: "/url", detail: "x")])
    var problem = Problem(refusal, at: "/3", url: "/data/url")
    problem.instance = "urn:cairn:request:1"
    #expect(
      try json(problem) == [
        "type": "urn:cairn:problem:invalid", "title": "Invalid", "status": 422, "detail": "no such step", "code": "invalid",
        "instance": "urn:cairn:request:1",
        "errors": [["detail": "must be …", "pointer": "#/3/params/a%20b~1"], ["detail": "x", "pointer": "#/3/data/url"]],
      ])
  }

  @Test func `each code has one status and one meaning`() {
    for code in Refusal.Code.allCases { #expect([403, 409, 413, 422].contains(code.status)) }
    for code in ProblemCode.allCases { #expect((400...599).contains(code.status)) }
    let shared = Set(Refusal.Code.allCases.map(\.rawValue)).intersection(ProblemCode.allCases.map(\.rawValue))
    #expect(shared == ["invalid"])
  }

  @Test func `an entry contains no secret and no value of the environment`() throws {
    let creation = Creation(hasToken: true, facts: ["f": 1], environment: ["NAME": "a-value"], manualClock: true)
    let entry = EntryBody(
      Entry(revision: 1, stamp: Stamp(time: 0, nonce: "a-nonce"), cause: .creation(creation)), Transition(outcome: .performed))
    #expect(
      try json(entry) == [
        "revision": 1, "at": "1970-01-01T00:00:00.000Z", "outcome": "performed", "events": [], "changes": [],
        "action": ["type": "create", "accessToken": true, "facts": ["f": 1], "clock": "manual"],
      ])
    let login = EntryBody(
      Entry(
        revision: 2, stamp: Stamp(time: 0, nonce: "a-nonce"),
        cause: .action(.login(hasCode: true, state: "s", error: nil, byOperator: false))),
      Transition(outcome: .pending))
    #expect(try json(login)["action"] == ["type": "login", "code": true, "state": "s"])
  }

  @Test func `a session shows a value of the environment if its definition permits it`() throws {
    let facts = [
      "inner": FactDefinition(type: ParameterDefinition(.string), environment: "A"),
      "outer": FactDefinition(type: ParameterDefinition(.string), environment: "B", isShown: true),
    ]
    let flows = ["main": FlowDefinition(container: .stack)]
    let reducer = Reducer(Definition(app: "shown", root: Contribution(.flow("main")), facts: facts, flows: flows))
    let creation = Creation(environment: ["A": "http://inner", "B": "https://outer"])
    let state = try reducer.create(creation, stamp: Stamp(time: 0, nonce: "n")).state
    let body = SessionBody(
      id: "s", app: "shown", definition: "d", label: nil, createdAt: 0, updatedAt: 0, state: state, reducer: reducer)
    #expect(try json(body)["facts"] == ["accessToken": false, "outer": "https://outer"])
    #expect(state.facts["inner"] == "http://inner")
  }

  @Test func `pending lists the effects and links of a session`() throws {
    var state = State()
    state.pendingLinks = [PendingLink(url: "u", until: 1_000)]
    let step = Step("tick")
    state.effects = [
      Effect(id: 1, owner: NodeID(3), start: 0, work: .timer(name: "t", step: step, delay: 5, period: nil, ticks: 0)),
      Effect(id: 2, owner: NodeID(4), start: 0, work: .value(.null, delay: 7, then: nil, otherwise: nil)),
      Effect(id: 3, owner: nil, start: 0, work: .exchange()),
    ]
    #expect(
      try json(PendingBody.all(of: state)) == [
        ["kind": "link", "link": "l1", "url": "u", "until": "1970-01-01T00:00:01.000Z"],
        ["kind": "timer", "node": "n3", "step": "tick", "name": "t", "due": "1970-01-01T00:00:00.005Z"],
        ["kind": "load", "node": "n4", "due": "1970-01-01T00:00:00.007Z"], ["kind": "token"],
      ])
  }

  @Test func `pending lists a modal that waits for its level`() throws {
    var state = State()
    var modal = Node(id: NodeID(4), kind: .screen, name: "approval", owner: NodeID(1), parent: NodeID(1))
    (modal.level, modal.waits) = (5, true)
    state.nodes[modal.id] = modal
    #expect(try json(PendingBody.all(of: state)) == [["kind": "modal", "level": 5, "name": "approval", "node": "n4"]])
  }

  @Test func `readiness is written in lines`() {
    let body = ReadinessBody([.init("journal"), .init("store", fault: "going down")])
    #expect(!body.ready)
    #expect(body.text == "[+]journal ok\n[-]store failed: going down\n")
  }
}
