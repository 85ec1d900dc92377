import CairnCore
import CairnHTTP
import CairnServer
import CairnStore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Idempotency-Key over HTTP` {
  private static let key = "8e03978e-40d5-43dd-bc93-6894a57f9324"
  private static func named(_ key: String) -> [(String, String)] { [("Idempotency-Key", key)] }
  private static let go = #"{"step":"go","params":{"n":5}}"#

  /// The response as a client sees it, without the fields that differ in a repetition.
  private static func told(_ reply: Reply) -> [String] {
    let own = ["date", "x-request-id", "idempotency-replayed"]
    return ["\(reply.status)", reply.text] + reply.headers.filter { !own.contains($0.key) }.map { "\($0.key): \($0.value)" }.sorted()
  }

  @Test func `a repeat gets the first response byte for byte, and is marked as a replay`() throws {
    let session = try Workshop().session("lab")
    let first = try session.act(Self.go, headers: Self.named(Self.key))
    #expect(first.status == 200 && first.revision == 2 && first.routes == ["first", "second"])
    #expect(first.headers["idempotency-replayed"] == nil)
    _ = try session.act(#"{"type":"pop"}"#)
    let again = try session.act(Self.go, headers: Self.named(Self.key))
    #expect(again.headers["idempotency-replayed"] == "true")
    #expect(Self.told(again) == Self.told(first))
    #expect(first.headers["idempotency-expires"]?.hasSuffix(" GMT") == true)
    #expect(try session.get().revision == 3)
  }

  @Test func `a quoted and a bare key are equal`() throws {
    let session = try Workshop().session("lab")
    _ = try session.act(Self.go, headers: Self.named(Self.key))
    #expect(try session.act(Self.go, headers: Self.named("\"\(Self.key)\"")).headers["idempotency-replayed"] == "true")
    _ = try session.act(Self.go, headers: Self.named(#""a \"b\" \\ c""#))
    #expect(try session.act(Self.go, headers: Self.named(#""a \"b\" \\ c""#)).headers["idempotency-replayed"] == "true")
    #expect(try session.act(Self.go, headers: Self.named(Self.key.uppercased())).headers["idempotency-replayed"] == nil)
  }

  @Test(arguments: [
    "", "\"\"", String(repeating: "k", count: 256), "a,b", "\"a\", \"b\"", "\"a\"b", "\"a\";p=1", "a b", "\"a", "\"a\\n\"", "\"é\"", "é",
  ])
  func `an empty or long key, a list or a malformed string is rejected, and not repeated in the response`(_ key: String) throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let reply = try session.act(Self.go, headers: Self.named(key))
    #expect(reply.status == 400 && reply.code == "idempotency-key-invalid")
    #expect(key.isEmpty || key.count < 4 || !reply.text.contains(key))
    #expect(try session.get().revision == 1)
    #expect(try workshop.send("POST", "/v1/sessions", #"{"app":"lab"}"#, headers: Self.named(key)).status == 400)
  }

  @Test func `two fields with a key are rejected as a list`() throws {
    let session = try Workshop().session("lab")
    #expect(try session.act(Self.go, headers: Self.named("a") + Self.named("a")).status == 400)
  }

  @Test func `a key of the maximum length is accepted`() throws {
    let session = try Workshop().session("lab")
    #expect(try session.act(Self.go, headers: Self.named(String(repeating: "k", count: 255))).status == 200)
  }

  @Test func `another body, target or role with the same key is rejected, and does nothing`() throws {
    let session = try Workshop().session("lab")
    _ = try session.act(Self.go, headers: Self.named(Self.key))
    for reply in [
      try session.act(#"{"step":"go","params":{"n":6}}"#, headers: Self.named(Self.key)),
      try session.act(#"{"type":"pop"}"#, headers: Self.named(Self.key)),
      try session.post("actions?pretty", Self.go, headers: Self.named(Self.key)),
      try session.post("open", #"{"url":"lab://x/go/1"}"#, headers: Self.named(Self.key)),
      try session.post("notifications", "{}", headers: Self.named(Self.key)),
      try session.act(Self.go, as: Workshop.operatorKey, headers: Self.named(Self.key)),
    ] {
      #expect(reply.status == 422 && reply.code == "idempotency-key-reused")
    }
    #expect(try session.get().revision == 2)
  }

  @Test func `the same JSON with another layout is the same request`() throws {
    let session = try Workshop().session("lab")
    _ = try session.act(Self.go, headers: Self.named(Self.key))
    let again = try session.act(#" { "params" : {"n":5}, "st\u0065p":"go" }"#, headers: Self.named(Self.key))
    #expect(again.status == 200 && again.headers["idempotency-replayed"] == "true")
  }

  @Test func `responses to arrays, links and notifications are repeated unchanged`() throws {
    let session = try Workshop().session("lab")
    for (number, (rest, body)) in [
      ("actions", "[\(Self.go),\(Self.go)]"), ("actions?pretty", Self.go), ("open", #"{"url":"lab:///go/4"}"#),
      ("notifications?tap=true", #"{"aps":{},"url":"lab:///go/4"}"#), ("notifications?tap=false", #"{"aps":{}}"#),
    ].enumerated() {
      let first = try session.post(rest, body, headers: Self.named("key-\(number)"))
      let revision = try session.get().revision
      let again = try session.post(rest, body, headers: Self.named("key-\(number)"))
      #expect(first.status == 200 && first.headers["idempotency-replayed"] == nil, "\(rest)")
      #expect(again.headers["idempotency-replayed"] == "true", "\(rest)")
      #expect(Self.told(again) == Self.told(first))
      #expect(try session.get().revision == revision)
    }
  }

  @Test func `a rejection is repeated, although the action would be accepted by then`() throws {
    let session = try Workshop().session("lab")
    let first = try session.act(#"{"type":"dismiss","node":"n99"}"#, headers: Self.named(Self.key))
    let second = try session.act(#"{"type":"popTo","screen":"second"}"#, headers: Self.named("other"))
    #expect(first.status == 422 && second.status == 409 && second["accepts"] != nil)
    _ = try session.act(Self.go)
    _ = try session.act(Self.go)
    for (body, key, before) in [
      (#"{"type":"dismiss","node":"n99"}"#, Self.key, first), (#"{"type":"popTo","screen":"second"}"#, "other", second),
    ] {
      let again = try session.act(body, headers: Self.named(key))
      #expect(again.headers["idempotency-replayed"] == "true" && Self.told(again) == Self.told(before))
    }
    #expect(try session.get().revision == 3)
  }

  @Test func `a request that is rejected before it reaches the session does not use its key`() throws {
    let session = try Workshop().session("lab")
    #expect(try session.act("{", headers: Self.named(Self.key)).status == 400)
    #expect(try session.act(#"{"step":1}"#, headers: Self.named(Self.key)).status == 422)
    #expect(try session.act(Self.go, headers: Self.named(Self.key) + [("If-Match", "\"7\"")]).status == 412)
    let first = try session.act(Self.go, headers: Self.named(Self.key) + [("If-Match", "\"1\"")])
    #expect(first.status == 200 && first.headers["idempotency-replayed"] == nil)
    let again = try session.act(Self.go, headers: Self.named(Self.key) + [("If-Match", "\"1\"")])
    #expect(Self.told(again) == Self.told(first))
  }

  @Test func `an action that requires an operator is rejected before its key is used`() throws {
    let session = try Workshop().session("lab")
    for _ in 0..<2 {
      let refused = try session.act(#"{"type":"facts","set":{"count":1}}"#, headers: Self.named(Self.key))
      #expect(refused.status == 403 && refused.code == "operator-only" && refused.headers["idempotency-replayed"] == nil)
    }
    #expect(try session.act(Self.go, headers: Self.named(Self.key)).status == 200)
  }

  @Test func `a rejected creation does not use its key`() throws {
    let workshop = try Workshop()
    func start(_ count: String) throws -> Reply {
      try workshop.send(
        "POST", "/v1/sessions", #"{"app":"lab","facts":{"count":\#(count)}}"#, as: Workshop.operatorKey, headers: Self.named(Self.key))
    }
    for _ in 0..<2 {
      let refused = try start(#""x""#)
      #expect(refused.status == 422 && refused.headers["idempotency-replayed"] == nil, "\(refused.text)")
    }
    #expect(try start("1").status == 201)
    #expect(try start("1").headers["idempotency-replayed"] == "true")
  }

  @Test func `a caller without access to the session gets no stored response`() throws {
    let workshop = try Workshop()
    let (session, other) = (try workshop.session("lab"), try workshop.session("lab"))
    let first = try session.act(Self.go, headers: Self.named(Self.key))
    #expect(try session.act(Self.go, as: other.secret, headers: Self.named(Self.key)).status == 401)
    #expect(try session.act(Self.go, as: "", headers: Self.named("")).status == 401)
    let own = try other.act(Self.go, headers: Self.named(Self.key))
    #expect(own.status == 200 && own.headers["idempotency-replayed"] == nil && first.status == 200)
  }

  @Test(.oneNode("a node that has the session in memory answers 404 instead of 401"))
  func `after the deletion of the session no response is repeated`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    _ = try session.act(Self.go, headers: Self.named(Self.key))
    _ = try workshop.send("DELETE", "/v1/sessions/\(session.id)", as: session.secret)
    #expect(try session.act(Self.go, headers: Self.named(Self.key)).status == 401)
    #expect(try session.act(Self.go, as: Workshop.operatorKey, headers: Self.named(Self.key)).status == 404)
  }

  @Test(.oneNode("it looks at the number of sessions of one node"))
  func `a repeated creation returns the same session and secret, and the secret is not stored or logged`() throws {
    let workshop = try Workshop()
    for (number, target) in ["/v1/sessions", "/v1/sessions?pretty"].enumerated() {
      let body = #"{"app":"lab","label":"one","open":"lab:///go/3"}"#
      let named = Self.named("\(Self.key)-\(number)")
      let first = try workshop.send("POST", target, body, headers: named)
      let again = try workshop.send("POST", target, body, headers: named)
      #expect(first.status == 201 && again.headers["idempotency-replayed"] == "true")
      #expect(Self.told(again) == Self.told(first))
      guard case .string(let id)? = first["id"], case .string(let secret)? = first["secret"] else { throw Workshop.NoSession(reply: first) }
      #expect(id.count == 24 && secret.count == 46 && secret.hasPrefix("cs_"))
      #expect(try workshop.send("GET", "/v1/sessions/\(id)", as: secret).revision == 2)
      let kept = "\(workshop.journal.batches)"
      #expect(!kept.contains(secret) && !kept.contains(Self.key))
      #expect(!kept.contains("\(Array(secret.utf8))".dropFirst().dropLast()))
    }
    #expect(workshop.store.figures.sessions == 2)
  }

  @Test(.oneNode("it looks at the number of sessions of one node")) func `the key of a creation must be long enough to be unguessable`()
    throws
  {
    let workshop = try Workshop()
    for key in ["1", String(repeating: "k", count: 21)] {
      let reply = try workshop.send("POST", "/v1/sessions", #"{"app":"lab"}"#, headers: Self.named(key))
      #expect(reply.status == 400 && reply.code == "idempotency-key-invalid")
    }
    let long = Self.named(String(repeating: "k", count: 22))
    #expect(try workshop.send("POST", "/v1/sessions", #"{"app":"lab"}"#, headers: long).status == 201)
    #expect(workshop.store.figures.sessions == 1)
  }

  @Test(.oneNode("it looks at the number of sessions of one node"))
  func `another creation with the same key, also of another app, is rejected`() throws {
    let workshop = try Workshop()
    _ = try workshop.send("POST", "/v1/sessions", #"{"app":"lab"}"#, headers: Self.named(Self.key))
    for body in [#"{"app":"shop"}"#, #"{"app":"lab","label":"x"}"#] {
      let reply = try workshop.send("POST", "/v1/sessions", body, headers: Self.named(Self.key))
      #expect(reply.status == 422 && reply.code == "idempotency-key-reused")
      #expect(!reply.text.contains("cs_"))
    }
    #expect(workshop.store.figures.sessions == 1)
  }

  @Test func `an operator and another caller with the same key create different sessions`() throws {
    let workshop = try Workshop()
    let body = #"{"app":"lab"}"#
    let one = try workshop.send("POST", "/v1/sessions", body, headers: Self.named(Self.key))
    let other = try workshop.send("POST", "/v1/sessions", body, as: Workshop.operatorKey, headers: Self.named(Self.key))
    #expect(one.status == 201 && other.status == 201 && one["id"] != other["id"] && one["secret"] != other["secret"])
  }

  @Test(.oneNode("it looks at the number of sessions of one node")) func `a repeat does not restore a deleted session`() throws {
    let workshop = try Workshop()
    let body = #"{"app":"lab"}"#
    let first = try workshop.send("POST", "/v1/sessions", body, headers: Self.named(Self.key))
    guard case .string(let id)? = first["id"], case .string(let secret)? = first["secret"] else { throw Workshop.NoSession(reply: first) }
    #expect(try workshop.send("DELETE", "/v1/sessions/\(id)", as: secret).status == 204)
    let again = try workshop.send("POST", "/v1/sessions", body, headers: Self.named(Self.key))
    #expect(again.status == 404 && again.code == "unknown-session")
    #expect(workshop.store.figures.sessions == 0)
  }

  @Test(.oneNode("each node counts its own requests")) func `no key is in the log, and replays are counted`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    for _ in 0..<2 {
      _ = try session.act(Self.go, headers: Self.named(Self.key))
      _ = try workshop.send("POST", "/v1/sessions", #"{"app":"lab"}"#, headers: Self.named(Self.key))
    }
    _ = try session.act(#"{"type":"pop"}"#, headers: Self.named(Self.key))
    #expect(!workshop.log.all.joined().contains(Self.key))
    #expect(workshop.log.all.contains { $0.contains("result=replayed") })
    #expect(try workshop.send("GET", "/metrics").text.contains("cairn_idempotency_replays_total 2\n"))
  }

  @Test func `the key is ignored by requests other than POST`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    #expect(try session.get(headers: Self.named("")).status == 200)
    #expect(try workshop.send("DELETE", "/v1/sessions/\(session.id)", as: session.secret, headers: Self.named("a,b")).status == 204)
  }
}
