import CairnCore
import CairnHTTP
import CairnServer
import CairnStore
import CairnTesting
import Testing

/// The event stream of a session over a real port.
@Suite(.tags(.timing), .ownThreads) struct `Events of a session` {
  @Test func `a stream begins with the whole session, followed by the entries of the history`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let client = try session.listen()
    #expect(client.status == 200 && client.head.headers["content-type"] == "text/event-stream; charset=utf-8")
    #expect(client.head.headers["cache-control"] == "no-store" && client.head.headers["x-accel-buffering"] == "no")
    let reset = try #require(try client.next())
    #expect(reset.name == "reset" && reset.taggedRevision == 1 && client.retry == 2_000)
    #expect(try session.get().text == reset.data + "\n", "the very session that GET shows")
    for number in 2...4 { #expect(try session.act(#"{"step":"go","params":{"n":\#(number)}}"#).status == 200) }
    let events = try client.next(3)
    #expect(events.map(\.name) == ["change", "change", "change"] && events.map(\.taggedRevision) == [2, 3, 4])
    #expect(try events.map(\.json) == session.entries(after: 1))
  }

  @Test func `the stream of an operator names the operator who caused an entry`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let client = try session.listen(as: Workshop.operatorKey)
    _ = try client.next()
    #expect(try session.act(#"{"step":"go","params":{"n":2}}"#, as: Workshop.operatorKey).status == 200)
    #expect(try client.next()?.json["by"] == .string("operator"))
  }

  @Test(arguments: [true, false]) func `a subscriber that reconnects gets the missed entries, then new ones`(inMemory: Bool) throws {
    let workshop = try Workshop(cache: inMemory ? 300 << 20 : 1)
    let session = try workshop.session("lab")
    // Each pair adds two entries and leaves the tree small.
    let pair = #"[{"step":"go","params":{"n":1}},{"type":"pop"}]"#
    for _ in 1...149 { #expect(try session.act(pair).status == 200) }
    #expect(try session.act(#"{"step":"go","params":{"n":2}}"#).status == 200)
    let client = try session.listen(headers: [("Last-Event-ID", "7")])
    let missed = try client.next(293)
    #expect(missed.map(\.taggedRevision) == Array(8...300) && missed.allSatisfy { $0.name == "change" })
    #expect(try missed.prefix(100).map(\.json) == session.entries(after: 7))
    _ = try session.act(#"{"type":"pop"}"#)
    #expect(try client.next()?.taggedRevision == 301)
    let other = try session.listen("?last_event_id=300", headers: [])
    #expect(try other.next()?.taggedRevision == 301)
    #expect(
      try session.listen("?last_event_id=1", headers: [("Last-Event-ID", "300")]).next()?.taggedRevision == 301,
      "a browser says where it was")
  }

  @Test(arguments: ["", "0", "-1", "9", "1e0", "x", "99999999999999999999"]) func `an invalid id causes a reset`(id: String) throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let client = try session.listen(headers: [("Last-Event-ID", id)])
    let event = try client.next()
    #expect(event?.name == "reset" && event?.taggedRevision == 1)
  }

  @Test func `an up-to-date subscriber gets only new entries`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let client = try session.listen(headers: [("Last-Event-ID", "1")])
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    #expect(try client.next()?.taggedRevision == 2)
  }

  @Test func `a subscriber more than a thousand entries behind starts with a reset`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let pair = #"[{"step":"go","params":{"n":1}},{"type":"pop"}]"#
    for _ in 0..<500 { #expect(try session.act(pair).status == 200) }
    #expect(try session.listen(headers: [("Last-Event-ID", "1")]).next(1_000).last?.taggedRevision == 1001)
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    let client = try session.listen(headers: [("Last-Event-ID", "1")])
    let event = try client.next()
    #expect(event?.name == "reset" && event?.taggedRevision == 1002)
  }

  @Test func `each entry of a manual advance is sent as an event`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab", #","clock":"manual""#)
    let client = try session.listen()
    _ = try client.next()
    _ = try session.act(#"{"step":"tick"}"#)
    _ = try session.act(#"{"type":"advance","by":"20s"}"#)
    let events = try client.next(3)
    #expect(events.map(\.taggedRevision) == [2, 3, 4])
    #expect(try events.map(\.json) == session.entries(after: 1))
  }

  @Test func `entries of timers and other effects are sent too`() throws {
    let clock = ManualClock()
    let workshop = try Workshop(clock: clock)
    let session = try workshop.session("lab")
    let client = try session.listen()
    _ = try client.next()
    _ = try session.act(#"{"step":"tick"}"#)
    #expect(try client.next()?.taggedRevision == 2)
    clock.advance(by: 10_000)
    let event = try client.next()
    #expect(event?.taggedRevision == 3)
    #expect(try [event?.json] == session.entries(after: 2))
  }

  @Test func `HEAD returns at once, and other methods are rejected`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let reply = try workshop.send("HEAD", "/v1/sessions/\(session.id)/events", as: session.secret)
    #expect(reply.status == 200 && reply.headers["content-type"] == "text/event-stream; charset=utf-8" && reply.text.isEmpty)
    #expect(
      try workshop.send("POST", "/v1/sessions/\(session.id)/events", "{}", as: session.secret).headers["allow"] == "GET, HEAD, OPTIONS")
    #expect(try session.get("/events?last_event=1").places == ["?last_event"])
    #expect(try workshop.send("GET", "/metrics").text.contains("cairn_streams{kind=\"session\"} 0\n"))
  }

  @Test(.oneNode("each node has its own limits")) func `the number of streams per session is limited, except for operators`() throws {
    let workshop = try Workshop(streamsPerSession: 2)
    let session = try workshop.session("lab")
    let first = try session.listen()
    var second: EventClient? = try session.listen()
    #expect(try second?.next() != nil)
    let refused = try session.listen()
    #expect(try refused.whole().code == "too-many-streams")
    #expect(refused.status == 429 && refused.head.headers["retry-after"] != nil)
    #expect(try session.listen(as: Workshop.operatorKey).status == 200)
    #expect(try workshop.session("lab").listen().status == 200, "another's are its own")
    second = nil
    try wait { try session.listen().status == 200 }
    #expect(try first.next()?.name == "reset")
  }

  @Test(.oneNode("each node counts its own requests")) func `a stream is counted while it is open, and logged once it has ended`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    var client: EventClient? = try session.listen()
    _ = try client?.next()
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    _ = try client?.next()
    let figures = try workshop.send("GET", "/metrics").text
    #expect(figures.contains("cairn_streams{kind=\"session\"} 1\n") && figures.contains("cairn_stream_events_total{kind=\"session\"} 2\n"))
    #expect(figures.contains("cairn_http_requests_in_flight 1\n"), "a stream is no request under way")
    #expect(!workshop.log.all.contains { $0.contains("/events") })
    client = nil
    try wait { workshop.log.all.contains { $0.contains("route=/v1/sessions/{id}/events") && $0.contains("result=left:2") } }
    #expect(try workshop.send("GET", "/metrics").text.contains("cairn_streams_ended_total{reason=\"left\"} 1\n"))
  }
}

extension Driven {
  /// Opens the event stream of the session.
  func listen(_ query: String = "", as other: String? = nil, headers: [(String, String)] = []) throws -> EventClient {
    let bearer = ("Authorization", "Bearer \(other ?? secret)")
    return try EventClient(workshop.port, "/v1/sessions/\(id)/events\(query)", headers: headers + [bearer])
  }

  /// Up to 100 entries of the history after a revision, with `action` renamed to `cause`.
  func entries(after revision: Int) throws -> [Value] {
    guard case .array(let entries)? = try get("/history?after=\(revision)")["entries"] else { throw NeverCame() }
    return entries.map { entry in
      guard case .object(var members) = entry else { return entry }
      members["cause"] = members.removeValue(forKey: "action")
      return .object(members)
    }
  }
}
