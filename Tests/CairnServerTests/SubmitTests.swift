import CairnCore
import CairnServer
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Messages over HTTP` {
  private static let counter = """
    app: counter
    language: 1
    allowHosts: [bank.example]
    root: main
    screens: { home: { emits: { pay: { order: integer, pin: { type: string, secret: true } } } } }
    steps: { paid: { id: { type: integer, default: 0 } }, payFailed: }
    facts: { paidWith: { type: integer, default: 0 } }
    flows:
      main:
        stack: home
        handle:
          pay:
            submit:
              post: "https://bank.example/payments"
              key: $order
              body: { order: $order, pin: $pin }
              then: { step: paid, with: { id: $result.id } }
              else: payFailed
          paid: { write: { paidWith: $id } }
          payFailed: []
    """

  private func session(_ workshop: Workshop) throws -> Driven {
    let put = try workshop.send("PUT", "/v1/apps/counter", Self.counter, as: Workshop.operatorKey, type: "application/yaml")
    #expect(put.status == 201)
    return try workshop.session("counter")
  }

  private func pay(_ session: Driven, _ order: Int = 7) throws -> Reply {
    try session.act(#"{"step":"pay","params":{"order":\#(order),"pin":"1234"}}"#)
  }

  private func keys(_ reply: Reply) -> [Value?] {
    guard case .array(let pending)? = reply["pending"] else { return [] }
    return pending.filter { $0["kind"] == "message" }.map { $0["key"] }
  }

  @Test func `pending and the history have the message without its secret, and a second call is no second message`() throws {
    let workshop = try Workshop()
    let session = try session(workshop)
    #expect(try pay(session).status == 200)
    #expect(try pay(session)["reason"] == "already-sent")
    _ = try workshop.outbound.call(0)
    let shown = try session.get()
    #expect(keys(shown) == ["7"] && !shown.text.contains("1234"))
    #expect(try !session.get("/history").text.contains("1234"))
    try workshop.outbound.end(0, .json(["id": 5]))
    try wait(for: "the result") { try session.get()["facts", "paidWith"] == 5 }
    #expect(try keys(session.get()) == [])
    let history = try session.get("/history").text
    #expect(history.contains("messageStarted") && history.contains("messageFinished"))
    #expect(workshop.outbound.count == 1)
  }

  @Test func `a fork has no message, and an import lists the message and does not send it before a call with its key`() throws {
    let workshop = try Workshop()
    let session = try session(workshop)
    #expect(try pay(session).status == 200)
    guard case .load(let call) = try workshop.outbound.call(0) else { throw NeverCame() }
    #expect(try keys(session.fork("{}").get()) == [])
    let copy = try workshop.began(workshop.take(Array(session.export().text.utf8)))
    let shown = try copy.get()
    #expect(keys(shown) == ["7"])
    #expect(try pay(copy, 8).status == 200)
    guard case .load(let other) = try workshop.outbound.call(1) else { throw NeverCame() }
    #expect(other.identity != call.identity)
    try workshop.outbound.end(1, .json(.null))
    #expect(try pay(copy).status == 200)
    guard case .load(let again) = try workshop.outbound.call(2) else { throw NeverCame() }
    #expect(again.identity == call.identity && again.body == call.body)
    #expect(workshop.outbound.count == 3)
  }

  @Test func `an operator retries the message of an imported session, which is sent once`() throws {
    let workshop = try Workshop()
    let session = try session(workshop)
    #expect(try pay(session).status == 200)
    guard case .load(let call) = try workshop.outbound.call(0) else { throw NeverCame() }
    // With this key, the exported file contains the secret in the body of the message.
    let key = String(repeating: "AQEB", count: 10) + "AQE="
    let copy = try workshop.began(workshop.take(Array(session.export(key: key).text.utf8), key: key))
    func retry(_ key: String, as credential: String = Workshop.operatorKey) throws -> Reply {
      try copy.act(#"{"type":"retry","key":"\#(key)"}"#, as: credential)
    }
    let own = try retry("7", as: copy.secret)
    #expect(own.status == 403 && own["code"] == "operator-only")
    let unknown = try retry("8")
    #expect(unknown.status == 409 && unknown["code"] == "message-gone" && unknown["accepts"] != nil)
    let retried = try retry("7")
    #expect(retried.status == 200 && retried["outcome"] == "performed")
    guard case .load(let again) = try workshop.outbound.call(1) else { throw NeverCame() }
    #expect(again.identity == call.identity && again.body == call.body)
    #expect(try retry("7").status == 200)
    try workshop.outbound.end(1, .json(["id": 5]))
    try wait(for: "the result") { try copy.get()["facts", "paidWith"] == 5 }
    #expect(try retry("7")["code"] == "message-gone")
    #expect(workshop.outbound.count == 2)
    let history = try copy.get("/history").text
    #expect(history.contains(#""type":"retry""#) && history.contains(#""key":"7""#))
    // The import replays the history in another session.
    #expect(try workshop.take(Array(copy.export(key: key).text.utf8), key: key).status == 201)
  }

  @Test func `a deletion drops the message and cancels its request`() throws {
    let workshop = try Workshop()
    let session = try session(workshop)
    #expect(try pay(session).status == 200)
    _ = try workshop.outbound.call(0)
    #expect(try workshop.send("DELETE", "/v1/sessions/\(session.id)", as: session.secret).status == 204)
    try workshop.outbound.waitUntilGivenUp(0)
  }
}
