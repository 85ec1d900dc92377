import CairnCore
import CairnServer
import CairnStore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Secret params over HTTP` {
  private static let app = """
    app: vault
    language: 1
    compat: { emits: any }
    root: { flow: main }
    allowHosts: [bank.example]
    screens:
      lock:
      safe: { params: { pin: { type: string, secret: true }, n: { type: integer, default: 1 } } }
      open:
    steps:
      enter: { pin: { type: string, secret: true } }
      send: { pin: { type: string, secret: true } }
      right:
      wrong: { pin: { type: string, secret: true } }
    flows:
      main:
        stack: lock
        handle:
          enter: { push: safe, with: { pin: $pin } }
          send: { load: { post: "https://bank.example/pin", body: { pin: $pin }, then: right, else: { step: wrong, with: { pin: $pin } } } }
          right: { push: open }
          wrong: { push: safe, with: { pin: $pin } }
    """
  private static let pin = "canary-2718281828"

  private let workshop: Workshop
  private let session: Driven

  init() throws {
    workshop = try Workshop()
    session = try workshop.session("vault", of: Self.app)
  }

  private func body(_ step: String, _ pin: String = pin) -> String { #"{"step":"\#(step)","params":{"pin":"\#(pin)"}}"# }

  @Test func `no response, event, metric or log line contains a secret param, and a load does`() throws {
    let key = [("Idempotency-Key", "a-key-of-twenty-two-letters")]
    var replies: [Reply] = []
    for prefer in ["representation", "minimal"] {
      replies.append(try session.post("actions?plan", body("enter"), headers: [("Prefer", "return=\(prefer)")]))
      replies.append(try session.act(body("enter"), headers: [("Prefer", "return=\(prefer)")]))
    }
    replies.append(try session.act(body("enter"), headers: key))
    replies.append(try session.act(body("enter"), headers: key))
    #expect(replies.suffix(2).map(\.text).reduce(into: Set()) { $0.insert($1) }.count == 1)
    replies.append(try session.act("[\(body("enter")),\(body("send"))]"))
    guard case .load(let load) = try workshop.outbound.call(0) else { throw NeverCame() }
    #expect(load.body == ["pin": .string(Self.pin)] && load.url == "https://bank.example/pin")
    replies.append(try session.act(#"{"type":"push","screen":"safe","params":{"pin":"\#(Self.pin)","n":2}}"#, as: Workshop.operatorKey))
    replies.append(
      try session.act(
        #"{"type":"set","stack":[{"screen":"lock"},{"screen":"safe","params":{"pin":"\#(Self.pin)"}}]}"#, as: Workshop.operatorKey))
    #expect(replies.allSatisfy { $0.status == 200 }, "\(replies.map(\.text))")
    for rest in ["", "/stack", "/history", "/history?as=scenario", "?revision=2"] {
      replies.append(try session.get(rest))
      #expect(try #require(replies.last).status == 200, "\(rest)")
    }
    replies.append(try workshop.send("GET", "/v1/sessions", as: Workshop.operatorKey))
    replies.append(try workshop.send("GET", "/metrics"))
    for reply in replies {
      #expect(!reply.text.contains(Self.pin) && !reply.headers.values.contains { $0.contains(Self.pin) })
    }
    #expect(workshop.log.all.allSatisfy { !$0.contains(Self.pin) })
  }

  @Test(arguments: [true, false]) func `no open stream contains a secret param`(isOperator: Bool) throws {
    let own = try session.listen(as: isOperator ? Workshop.operatorKey : nil)
    let all = try workshop.listenToAll()
    _ = try session.act(body("enter"))
    _ = try session.act("[\(body("enter")),\(body("send"))]")
    try workshop.outbound.end(0, .failed("http-status: 403"))
    // The last change is that of the failed load, whose step `wrong` pushes the third `safe`.
    let late = try session.listen(headers: [("Last-Event-ID", "1")])
    for client in [own, all, late] {
      var changes = 0
      while changes < 4 {
        let event = try #require(try client.next())
        #expect(!event.data.contains(Self.pin) && event.id?.contains(Self.pin) != true)
        if event.name == "change" { changes += 1 }
      }
    }
  }

  @Test func `clients see true in place of a secret param, in the tree and in the history`() throws {
    let reply = try session.act(body("enter"))
    #expect(reply["visible", "params"] == ["pin": true, "n": 1])
    guard case .array(let entries)? = try session.get("/history?after=1")["entries"] else { throw NeverCame() }
    #expect(entries.first?["action"] == ["step": "enter", "params": ["pin": true]])
  }

  @Test func `a failed load hands its secret to the else step, from where it is deleted with the screen`() throws {
    let sent = try session.act(body("send"))
    let tag = try #require(sent.headers["etag"])
    try workshop.outbound.end(0, .failed("http-status: 403"))
    let failed = try session.get("?wait=10s", headers: [("If-None-Match", tag)])
    #expect(failed.routes == ["lock", "safe"])
    #expect(try session.act(#"{"type":"pop"}"#).routes == ["lock"])
  }

  @Test(arguments: [
    (#"{"step":"enter","params":{"pin":27182818}}"#, "must be of type string, not integer"),
    (#"{"step":"enter","params":{"pin":["27182818"]}}"#, "must be of type string, not array"),
    (#"{"step":"enter","params":{"pin":{"$sealed":512}}}"#, "must be of type string, not object"),
    (#"{"step":"enter","params":{"pin":true}}"#, "must be of type string, not boolean"),
    (#"{"step":"enter","params":{"pan":"27182818"}}"#, "is unknown; the params are pin"),
    (#"{"step":"enter","params":{"pin":"\#(String(repeating: "27182818", count: 513))"}}"#, "must have at most 4096 bytes"),
    (#"{"type":"push","screen":"safe","params":{"pin":27182818}}"#, "must be of type string, not integer"),
  ])
  func `a value of a secret param that is rejected is not repeated in the problem`(body: String, said: String) throws {
    let reply = try session.act(body, as: Workshop.operatorKey)
    #expect(reply.status == 422 && reply.text.contains(said) && !reply.text.contains("27182818"), "\(reply.text)")
    #expect(try session.get().revision == 1)
  }

  @Test func `the OpenAPI document and the schemas of the app mark a secret param as write-only`() throws {
    let document = try workshop.send("GET", "/v1/apps/vault/openapi.json", as: Workshop.operatorKey)
    #expect(document.status == 200)
    #expect(document.text.contains(#""pin":{"type":"string","writeOnly":true}"#), "\(document.text.prefix(2_000))")
    #expect(document.text.contains("Always true, because the value is secret."))
  }

  @Test func `a history as a scenario has a placeholder that can be posted again`() throws {
    _ = try session.act(body("enter"))
    let text = try session.get("/history?as=scenario").text
    #expect(text.contains("{ step: enter, params: { pin: secret } }"), "\(text)")
  }
}
