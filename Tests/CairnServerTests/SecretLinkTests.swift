import CairnCore
import CairnServer
import CairnStore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Secrets of links, notifications and responses over HTTP` {
  private static let app = """
    app: vault
    language: 1
    root: main
    allowHosts: [bank.example]
    facts: { isSignedIn: { type: boolean, default: false, by: client } }
    screens:
      lock: { emits: [asked, sent] }
      safe: { params: { pin: { type: string, secret: true } }, emits: [sent] }
    links:
      - { scheme: vault, path: "/pins/{pin}", send: linked }
      - { scheme: vault, path: "/later/{pin}", send: linked, requires: { fact: isSignedIn } }
    notifications:
      values: { pin: /data/pin }
      take: [{ category: pin, send: linked }]
    flows:
      main:
        stack: lock
        handle:
          linked: { push: safe, with: { pin: $pin } }
          asked: { load: { get: "https://bank.example/pin", secret: [card.pin], then: { step: linked, with: { pin: $result.card.pin } } } }
          sent: { load: { post: "https://bank.example/sent", body: { pin: $screen.pin } } }
    steps: { linked: { pin: { type: string, secret: true } } }
    """
  private static let pin = "canary-3141592653"
  private static let link = #"{"url":"vault://pins/\#(pin)?again=\#(pin)#\#(pin)"}"#
  private static let later = #"{"url":"vault://later/\#(pin)"}"#

  private let workshop: Workshop
  private let session: Driven

  init() throws {
    workshop = try Workshop()
    session = try workshop.session("vault", of: Self.app)
  }

  @Test func `no response, event, metric or log line contains a secret, and a load does`() throws {
    let payload = #"{"category":"pin","url":"vault://pins/\#(Self.pin)","data":{"pin":"\#(Self.pin)"}}"#
    var replies: [Reply] = []
    replies.append(try session.post("open?plan", Self.link))
    replies.append(try session.post("open", Self.link, headers: [("Idempotency-Key", "a-key-of-twenty-two-letters")]))
    replies.append(try session.post("open", Self.link, headers: [("Idempotency-Key", "a-key-of-twenty-two-letters")]))
    replies.append(try session.post("open", Self.later))
    replies.append(try session.post("notifications?plan", payload))
    replies.append(try session.post("notifications", payload))
    replies.append(try session.post("notifications?tap=false", payload))
    replies.append(try session.act(#"{"step":"sent"}"#))
    guard case .load(let load) = try workshop.outbound.call(0) else { throw NeverCame() }
    #expect(load.body == ["pin": .string(Self.pin)])
    #expect(replies.allSatisfy { $0.status < 300 }, "\(replies.map(\.text))")
    let refused = try session.post("open", #"{"url":"vault://unknown/\#(Self.pin)"}"#)
    #expect((400..<500).contains(refused.status))
    replies.append(refused)
    replies.append(
      try workshop.send(
        "POST", "/v1/sessions", #"{"app":"vault","open":"vault://pins/\#(Self.pin)"}"#, as: Workshop.operatorKey))
    replies.append(try session.post("export", "{}", as: Workshop.operatorKey))
    for rest in ["", "/stack", "/history", "/history?as=scenario", "?revision=2"] { replies.append(try session.get(rest)) }
    replies.append(try workshop.send("GET", "/metrics"))
    for reply in replies {
      #expect(!reply.text.contains(Self.pin) && !reply.headers.values.contains { $0.contains(Self.pin) }, "\(reply.text)")
    }
    #expect(workshop.log.all.allSatisfy { !$0.contains(Self.pin) })
  }

  @Test func `people read an ellipsis instead of a secret in a URL, without its number`() throws {
    let held = try session.post("open", Self.later)
    #expect(held["outcome"] == "pending")
    let shown = try session.get("").text
    #expect(shown.contains(#""url":"vault://later/…""#))
    let history = try session.get("/history").text
    #expect(history.contains(#""url":"vault://later/…""#) && !history.contains("…5"))
    #expect(try session.get("/history?as=scenario").text.contains("vault://later/secret"))
  }

  @Test func `the content shows true for a secret of a response`() throws {
    let asked = try session.act(#"{"step":"asked"}"#)
    let tag = try #require(asked.headers["etag"])
    try workshop.outbound.end(0, .json(["card": ["pin": .string(Self.pin), "n": 1]]))
    let loaded = try session.get("?wait=10s", headers: [("If-None-Match", tag)])
    #expect(loaded.routes == ["lock", "safe"] && loaded.text.contains(#""card":{"n":1,"pin":true}"#))
    for rest in ["", "/history", "/history?as=scenario"] { #expect(try !session.get(rest).text.contains(Self.pin)) }
    #expect(workshop.log.all.allSatisfy { !$0.contains(Self.pin) })
  }
}
