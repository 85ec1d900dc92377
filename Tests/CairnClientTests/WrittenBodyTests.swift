import CairnAPI
import CairnCore
import CairnTesting
import Testing

@testable import CairnClient

/// The service parses the requests that the client encodes.
@Suite struct `Requests that the client encodes` {
  @Test(
    arguments: [
      (.step("go"), .action(.step(CairnCore.Step("go"), from: nil))),
      (.step("go", ["a": .null], from: NodeID(7)), .action(.step(CairnCore.Step("go", params: ["a": .null]), from: NodeID(7)))),
      (.pop(), .action(.pop(count: 1, node: nil))), (.pop(3), .action(.pop(count: 3, node: nil))),
      (.pop(NodeID(4)), .action(.pop(count: 1, node: NodeID(4)))), (.popTo("home"), .action(.popTo(.screen("home")))),
      (.popTo(NodeID(4)), .action(.popTo(.node(NodeID(4))))), (.popToRoot, .action(.popToRoot)), (.back, .action(.back)),
      (.dismiss(), .action(.dismiss(node: nil))), (.dismiss(NodeID(4)), .action(.dismiss(node: NodeID(4)))),
      (.select(tab: 0), .action(.select(.tab(0), node: nil))), (.select(tab: 1, in: NodeID(4)), .action(.select(.tab(1), node: NodeID(4)))),
      (.select(flow: "f"), .action(.select(.flow("f"), node: nil))),
      (.select(flow: "f", in: NodeID(4)), .action(.select(.flow("f"), node: NodeID(4)))),
      (.login(code: "c"), .login(code: "c", state: nil, byOperator: false)),
      (.login(code: "c", state: "s"), .login(code: "c", state: "s", byOperator: false)), (.token("t"), .token("t")),
      (.logout, .action(.logout)),
      (.appState(.inactive), .action(.appState(.inactive))), (.facts(["f": [1, .null]]), .action(.facts(["f": [1, .null]]))),
      (.advance(by: .milliseconds(1_500)), .advance(by: 1_500)), (.advance(by: .seconds(3_600)), .advance(by: 3_600_000)),
      (.advance(by: .microseconds(1_999)), .advance(by: 1)), (.cancel(LinkID(3)), .action(.cancel(link: LinkID(3)))),
      (.cancel(QuestionID(2)), .action(.cancelQuestion(QuestionID(2)))), (.cancel(HeldID(4)), .action(.cancelHeld(HeldID(4)))),
      (.logout.settled, .action(.settled(.logout))), (.step("s").settled, .action(.settled(.step(CairnCore.Step("s"), from: nil)))),
      (.retry("o7"), .action(.retry(key: "o7"))), (.answer(.loaded(.null)), .answer(RequestAnswer(.loaded(.null)))),
      (.answer(.loaded(["a": 1]), effect: 2), .answer(RequestAnswer(.loaded(["a": 1]), of: 2))),
      (.answer(.failed("r")), .answer(RequestAnswer(.failed("r")))),
      (.answer(.exchanged("t"), effect: 9), .answer(RequestAnswer(.exchanged(token: "t"), of: 9))),
      (.answer(.exchangeFailed("r")), .answer(RequestAnswer(.exchangeFailed("r")))),
    ] as [(SessionAction, Command)]) func `an action is parsed to the same action`(action: SessionAction, command: Command) throws
  {
    #expect(try ActionRequest(action.json, byOperator: false).commands == [command])
  }

  @Test func `a minimal creation contains only the app`() {
    #expect(SessionStart().body(app: "a") == ["app": "a"])
  }

  @Test func `a creation with all members is parsed`() throws {
    var start = SessionStart(accessToken: "t", label: "l", arrival: .link("u"))
    start.facts = ["f": 1]
    start.environment = ["A": "x"]
    start.hasManualClock = true
    start.hasManualRequests = true
    let request = try CreationRequest(start.body(app: "a"))
    #expect(request.app == "a" && request.accessToken == "t" && request.label == "l" && request.arrival == .open(url: "u"))
    #expect(request.facts == ["f": 1] && request.environment == ["A": "x"] && request.isManualClock && request.isManualRequests)
    start.clockStart = 1_772_366_400_000
    #expect(start.body(app: "a")["clock"] == "2026-03-01T12:00:00.000Z")
    #expect(try CreationRequest(start.body(app: "a")).clockStart == 1_772_366_400_000)
    let notified = try CreationRequest(SessionStart(arrival: .notification(["url": "u"])).body(app: "a"))
    #expect(notified.arrival == .notification(["url": "u"]))
  }

  @Test func `a query encodes its values, and omits absent ones`() {
    #expect(Query([]).text == "" && Query([("a", nil)]).text == "")
    #expect(Query([("a", "x y&z=é"), ("b", nil), ("c", "")]).text == "?a=x%20y%26z%3D%C3%A9&c")
  }

  @Test func `the state and the tap of a notification are in the query, the button and the reply in the body`() {
    let text = { (manner: NotificationManner) in Query(manner.parameters).text }
    #expect(text(NotificationManner()) == "?state=background" && NotificationManner().body(["url": "u"]) == ["payload": ["url": "u"]])
    let reply = NotificationManner(isTapped: false, appState: .killed, action: "answer", reply: "a\nb")
    #expect(text(reply) == "?tap=false&state=killed")
    #expect(reply.body(["url": "u"]) == ["payload": ["url": "u"], "action": "answer", "reply": "a\nb"])
  }

  @Test func `the members of a filter are encoded in the query`() {
    let filter = SessionFilter(app: "a", label: "l", definition: "h", createdAfter: "30d", createdBefore: "2026-01-01")
    #expect(Query(filter.parameters).text == "?app=a&label=l&definition=h&created_after=30d&created_before=2026-01-01")
    #expect(Query(SessionFilter().parameters).text == "")
  }

  @Test func `each idempotency key is a new quoted UUID`() {
    let keys = (0..<100).map { _ in CairnClient.idempotencyKey() }
    #expect(Set(keys).count == 100)
    for key in keys { #expect(key.count == 38 && key.hasPrefix("\"") && key.hasSuffix("\"")) }
  }

  @Test func `a number that JSON cannot represent is not sent`() {
    #expect {
      try Wire.Call("POST", "/x", json: ["a": .number(.infinity)], credential: nil)
    } throws: {
      if case ClientError.unsendable? = $0 as? ClientError { true } else { false }
    }
  }
}
