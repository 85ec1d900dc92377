import CairnCore
import CairnHTTP
import CairnServer
import CairnStore
import CairnTesting
import Testing

/// The reasons for which a stream ends.
@Suite(.tags(.timing), .ownThreads) struct `End of a stream` {
  private func last(_ client: EventClient) throws -> EventClient.Event? { try client.rest().last }

  @Test func `the deletion of its session ends a stream`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let clients = try (0..<3).map { _ in try session.listen() }
    #expect(try workshop.send("DELETE", "/v1/sessions/\(session.id)", as: session.secret).status == 204)
    for client in clients {
      let event = try #require(try last(client))
      #expect(event.name == "end" && event.id == nil && event.data == #"{"reason":"deleted"}"# && client.lastID == session.created.tag)
    }
    #expect(try session.listen(headers: [("Last-Event-ID", "1")]).status == 401, "a browser does not come again")
  }

  @Test func `the deletion of many sessions ends their streams`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab", #","label":"old""#)
    let (own, other) = (try session.listen(), try workshop.session("lab").listen())
    #expect(try workshop.send("DELETE", "/v1/sessions?label=old", as: Workshop.operatorKey).status == 200)
    #expect(try last(own)?.reason == "deleted")
    #expect(try other.next()?.name == "reset")
  }

  @Test(.oneNode("a node does not know why another one has ended a session"))
  func `the expiry of its session ends a stream`() throws {
    let clock = ManualClock()
    let workshop = try Workshop(sessionTTL: 60_000, clock: clock)
    let client = try workshop.session("lab").listen()
    clock.advance(by: 60_000)
    #expect(try last(client)?.reason == "expired")
  }

  @Test(.oneNode("each node is stopped by itself"))
  func `the stop of the service ends a stream`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let clients = [try session.listen(), try workshop.listenToAll()]
    workshop.service.endStreams()
    for client in clients { #expect(try last(client)?.data == #"{"reason":"stopping"}"#) }
    let late = try session.listen()
    #expect(try late.whole().code == "stopping" && late.status == 503)
    #expect(workshop.service.drain(within: TestTimeout.duration), "streams are no requests under way")
    #expect(try workshop.send("GET", "/metrics").text.contains("cairn_streams_ended_total{reason=\"stopping\"} 2\n"))
  }

  @Test func `the removal of an operator key ends its streams and tickets`() throws {
    let workshop = try Workshop(operators: [
      OperatorKey(name: "ann", key: "the-key-of-ann-x"), OperatorKey(name: "bob", key: "the-key-of-bob-x"),
    ])
    let session = try workshop.session("lab")
    let (ann, bob) = (try session.listen(as: "the-key-of-ann-x"), try session.listen(as: "the-key-of-bob-x"))
    let (own, all) = (try session.listen(), try workshop.listenToAll(as: "the-key-of-ann-x"))
    let ticket = try workshop.ticket("/v1/sessions/\(session.id)/events/ticket", as: "the-key-of-ann-x")
    let bought = try EventClient(workshop.port, "/v1/sessions/\(session.id)/events?ticket=\(ticket)")
    let unused = try workshop.ticket("/v1/events/ticket", as: "the-key-of-ann-x")
    workshop.operators.replace(with: [OperatorKey(name: "robert", key: "the-key-of-bob-x")])
    for client in [ann, all, bought] { #expect(try last(client)?.data == #"{"reason":"credential"}"#) }
    #expect(try EventClient(workshop.port, "/v1/events?ticket=\(unused)").status == 401)
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    for client in [bob, own] {
      #expect(try client.next(2).last?.id?.hasPrefix("2-") == true, "the key is still one, whatever its holder's name")
    }
  }

  @Test(.oneNode("the feed of all sessions has the events of its own node, and tells of others"))
  func `a client that does not read is disconnected, and the others receive all events`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let (slow, quick) = (try session.listen(), try session.listen())
    _ = try quick.next()
    let text = String(repeating: "x", count: 60_000)
    let slowly = "cairn_streams_ended_total{reason=\"slow\"} 1\n"
    // One page at a time, because the size of a session is bounded.
    for number in 1...400 {
      #expect(try session.act(#"{"type":"push","screen":"long","params":{"text":"\#(text)"}}"#, as: Workshop.operatorKey).status == 200)
      #expect(try session.act(#"{"type":"pop"}"#).status == 200)
      #expect(try quick.next(2).last?.id?.hasPrefix("\(2 * number + 1)-") == true)
      if number % 20 == 0, try workshop.send("GET", "/metrics").text.contains(slowly) { break }
    }
    try wait { try workshop.send("GET", "/metrics").text.contains(slowly) }
    #expect(try slow.rest().last?.name != "end")
  }
}

extension Workshop {
  /// Opens the stream of all sessions.
  func listenToAll(_ query: String = "", as key: String = Workshop.operatorKey, headers: [(String, String)] = []) throws -> EventClient {
    try EventClient(port, "/v1/events\(query)", headers: headers + [("Authorization", "Bearer \(key)")])
  }

  /// Creates a ticket at `path`.
  func ticket(_ path: String, as secret: String) throws -> String {
    let reply = try send("POST", path, as: secret)
    guard reply.status == 201, case .string(let ticket)? = reply["ticket"] else { throw NoSession(reply: reply) }
    return ticket
  }
}
