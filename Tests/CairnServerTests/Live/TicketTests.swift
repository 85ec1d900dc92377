import CairnCore
import CairnHTTP
import CairnServer
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Tickets for streams` {
  private func listen(_ workshop: Workshop, _ path: String, _ ticket: String) throws -> Int {
    try EventClient(workshop.port, "\(path)?ticket=\(ticket)").status
  }

  @Test func `a ticket opens its stream once`() throws {
    let clock = ManualClock()
    let workshop = try Workshop(clock: clock)
    let (session, other) = (try workshop.session("lab"), try workshop.session("lab"))
    let path = "/v1/sessions/\(session.id)/events"
    let reply = try session.post("events/ticket", "")
    #expect(reply.status == 201 && reply["expiresAt"] == .string("1970-01-01T00:17:10.000Z"), "in half a minute: \(reply.text)")
    let ticket = try workshop.ticket("\(path)/ticket", as: session.secret)
    #expect(ticket.count == 44 && ticket.hasPrefix("t"))
    #expect(try listen(workshop, "/v1/sessions/\(other.id)/events", ticket) == 401, "not another's")
    #expect(try listen(workshop, "/v1/events", ticket) == 401)
    let client = try EventClient(workshop.port, "\(path)?ticket=\(ticket)&last_event_id=1")
    #expect(client.status == 200 && client.head.headers["referrer-policy"] == "no-referrer")
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    #expect(try client.next()?.id?.hasPrefix("2-") == true)
    #expect(try listen(workshop, path, ticket) == 401, "once")
    #expect(
      try EventClient(workshop.port, "\(path)?ticket=\(ticket)", headers: [("Authorization", "Bearer \(session.secret)")]).status
        == 401)
    #expect(!workshop.log.all.contains { $0.contains(ticket) })
  }

  @Test func `a ticket is valid for half a minute`() throws {
    let clock = ManualClock()
    let workshop = try Workshop(clock: clock)
    let session = try workshop.session("lab")
    let path = "/v1/sessions/\(session.id)/events"
    let tickets = try (0..<2).map { _ in try workshop.ticket("\(path)/ticket", as: session.secret) }
    clock.advance(by: 29_999)
    #expect(try listen(workshop, path, tickets[0]) == 200)
    clock.advance(by: 1)
    #expect(try listen(workshop, path, tickets[1]) == 401)
  }

  @Test func `the number of unused tickets is limited per session and in total`() throws {
    let clock = ManualClock()
    let workshop = try Workshop(clock: clock)
    let session = try workshop.session("lab")
    let path = "/v1/sessions/\(session.id)/events"
    let tickets = try (0..<16).map { _ in try workshop.ticket("\(path)/ticket", as: session.secret) }
    let refused = try session.post("events/ticket", "")
    #expect(refused.status == 429 && refused.code == "rate-limited" && refused.headers["retry-after"] == "30")
    _ = try workshop.ticket("\(path.replacing(session.id, with: try workshop.session("lab").id))/ticket", as: Workshop.operatorKey)
    #expect(try listen(workshop, path, tickets[5]) == 200)
    _ = try workshop.ticket("\(path)/ticket", as: session.secret)
    #expect(try session.post("events/ticket", "").status == 429)
    clock.advance(by: 30_000)
    for _ in 0..<16 { _ = try workshop.ticket("\(path)/ticket", as: session.secret) }
  }

  @Test func `an operator can create a ticket for the stream of all sessions`() throws {
    let workshop = try Workshop()
    let ticket = try workshop.ticket("/v1/events/ticket", as: Workshop.operatorKey)
    let session = try workshop.session("lab")
    #expect(try listen(workshop, "/v1/sessions/\(session.id)/events", ticket) == 401, "it is for one stream")
    #expect(try listen(workshop, "/v1/events", ticket) == 200)
    #expect(try workshop.send("POST", "/v1/events/ticket", as: session.secret).status == 403)
  }

  @Test func `a ticket for a deleted session opens nothing`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let path = "/v1/sessions/\(session.id)/events"
    let tickets = [
      try workshop.ticket("\(path)/ticket", as: session.secret), try workshop.ticket("\(path)/ticket", as: Workshop.operatorKey),
    ]
    #expect(try workshop.send("DELETE", "/v1/sessions/\(session.id)", as: session.secret).status == 204)
    #expect(try tickets.map { try listen(workshop, path, $0) } == [401, 404])
  }
}
