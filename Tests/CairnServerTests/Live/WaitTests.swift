import CairnCore
import CairnHTTP
import CairnRuntime
import CairnServer
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Long polling` {
  /// Sends a GET from another thread. Returns once the request waits in the service.
  private func waiting(
    _ session: Driven, _ rest: String = "?wait=30s", as other: String? = nil, headers: [(String, String)] = [], tag: String? = nil
  ) throws -> Awaited<Reply> {
    let answer = Awaited<Reply>()
    let before = try count(session.workshop)
    let path = "/v1/sessions/\(session.id)\(rest)"
    _ = try NamedThread("wait") {
      let headers = headers + [("If-None-Match", tag ?? "\"\(session.created.tag)\"")]
      if let reply = try? session.workshop.send("GET", path, as: other ?? session.secret, headers: headers) { answer.give(reply) }
    }
    try wait(for: "a request that waits") { try count(session.workshop) > before }
    return answer
  }

  private func count(_ workshop: Workshop) throws -> Int { try workshop.total("cairn_waiting") }

  @Test func `the next change ends the wait, also that of the stack`() throws {
    let workshop = try Workshop(clock: ManualClock())
    let session = try workshop.session("lab")
    let (whole, stack) = (try waiting(session), try waiting(session, "/stack?wait=30s"))
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    let reply = try whole.value()
    #expect(try reply.status == 200 && reply.taggedRevision == 2 && reply.text == session.get().text)
    #expect(try stack.value().text == session.get("/stack").text)
    #expect(try count(workshop) == 0)
  }

  @Test func `a wait without a change ends with 304`() throws {
    let clock = ManualClock()
    let workshop = try Workshop(clock: clock)
    let session = try workshop.session("lab")
    let (short, preferred) = (try waiting(session), try waiting(session, "", headers: [("Prefer", "respond-async, wait=45")]))
    clock.advance(by: 29_999)
    #expect(short.count == 0)
    clock.advance(by: 1)
    let reply = try short.value()
    #expect(reply.status == 304 && reply.taggedRevision == 1 && reply.headers["preference-applied"] == nil)
    #expect(preferred.count == 0)
    clock.advance(by: 15_000)
    #expect(try preferred.value().status == 304 && preferred.value().headers["preference-applied"] == "wait=45")
  }

  @Test func `the wait of a preference is at most a minute, and is confirmed`() throws {
    let clock = ManualClock()
    let workshop = try Workshop(clock: clock)
    let session = try workshop.session("lab")
    let answer = try waiting(session, "", headers: [("Prefer", "wait=3600")])
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    #expect(try answer.value().status == 200 && answer.value().headers["preference-applied"] == "wait=60")
  }

  @Test func `a change by a timer ends the wait`() throws {
    let clock = ManualClock()
    let workshop = try Workshop(clock: clock)
    let session = try workshop.session("lab")
    let tick = try session.act(#"{"step":"tick"}"#)
    let answer = try waiting(session, tag: "\"\(tick.tag)\"")
    clock.advance(by: 10_000)
    #expect(try answer.value().taggedRevision == 3)
  }

  @Test func `a request without a reason to wait returns at once`() throws {
    let workshop = try Workshop(clock: ManualClock())
    let session = try workshop.session("lab")
    let tag = ("If-None-Match", "\"\(session.created.tag)\"")
    #expect(try session.get("?wait=30s").status == 200, "without If-None-Match")
    #expect(try session.get("?wait=30s", headers: [("If-None-Match", "\"7\"")]).status == 200)
    #expect(try session.get("?wait=0s", headers: [tag]).status == 304)
    #expect(try session.get(headers: [tag, ("Prefer", "wait=0")]).status == 304)
    #expect(try session.get(headers: [tag, ("Prefer", "wait=x"), ("Prefer", "wait")]).status == 304)
    #expect(try workshop.send("HEAD", "/v1/sessions/\(session.id)?wait=30s", as: session.secret, headers: [tag]).status == 304)
    for wrong in ["61s", "30", "", "-1s", "1000ms&wait=1s"] { #expect(try session.get("?wait=\(wrong)").places == ["?wait"], "\(wrong)") }
  }

  @Test func `if the session is deleted during the wait the response is that of GET`() throws {
    let workshop = try Workshop(clock: ManualClock())
    let session = try workshop.session("lab")
    let (own, operators) = (try waiting(session), try waiting(session, as: Workshop.operatorKey))
    _ = try workshop.send("DELETE", "/v1/sessions/\(session.id)", as: session.secret)
    #expect(try own.value().status == 401 && operators.value().status == 404)
  }

  @Test(.oneNode("each node is stopped by itself"))
  func `a stop of the service ends the wait`() throws {
    let workshop = try Workshop(clock: ManualClock())
    let session = try workshop.session("lab")
    let answer = try waiting(session)
    workshop.service.endStreams()
    #expect(try answer.value().status == 503 && answer.value().code == "stopping")
    #expect(try session.get("?wait=30s", headers: [("If-None-Match", "\"\(session.created.tag)\"")]).code == "stopping", "nobody begins to")
    #expect(workshop.service.drain(within: TestTimeout.duration))
  }

  @Test func `the wait of a disconnected client is cancelled`() throws {
    let clock = ManualClock()
    let workshop = try Workshop(clock: clock)
    let session = try workshop.session("lab")
    let descriptor = try Wire.open(workshop.port)
    let head =
      "GET /v1/sessions/\(session.id)?wait=30s HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(session.secret)\r\nIf-None-Match: \"\(session.created.tag)\"\r\n\r\n"
    #expect(try Wire.put(descriptor, head))
    try wait { try count(workshop) == 1 }
    Wire.leave(descriptor)
    try wait {
      clock.advance(by: 2_000)
      return try count(workshop) == 0
    }
    #expect(clock.now() < 1_030_000, "before its time was over")
  }

  @Test func `many simultaneous waits are all answered`() throws {
    let workshop = try Workshop(clock: ManualClock())
    let session = try workshop.session("lab")
    let answers = try (0..<20).map { _ in try waiting(session) }
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    for answer in answers { #expect(try answer.value().taggedRevision == 2) }
  }
}
