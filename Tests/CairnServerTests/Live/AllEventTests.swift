import CairnCore
import CairnServer
import CairnTesting
import Testing

/// The stream of the events of all sessions, which requires an operator.
@Suite(.tags(.timing), .ownThreads) struct `Events of all sessions` {
  @Test func `the stream contains the creation, the changes and the end of each session`() throws {
    let workshop = try Workshop()
    let before = try workshop.session("lab")
    let client = try workshop.listenToAll()
    let reset = try #require(try client.next())
    #expect(reset.name == "reset" && reset.data == "{}" && reset.id != nil)
    let session = try workshop.session("lab", #","label":"a b""#)
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    _ = try before.act(#"{"step":"go","params":{"n":3}}"#)
    let entries = try session.entries(after: 0)
    _ = try workshop.send("DELETE", "/v1/sessions/\(session.id)", as: session.secret)
    let events = try client.next(4)
    #expect(events.map(\.name) == ["started", "change", "change", "ended"])
    func origin(_ more: [String: Value] = [:]) -> [String: Value] {
      ["session": .string(session.id), "app": .string("lab"), "label": .string("a b")].merging(more) { $1 }
    }
    for (event, entry) in zip(events, entries) {
      guard case .object(let members) = entry else { throw NeverCame() }
      var expected = origin(members)
      if event.name == "started" { expected["definition"] = session.created["definition"] }
      #expect(event.json == .object(expected))
    }
    #expect(events[2].json["session"] == .string(before.id) && events[2].json["label"] == nil)
    guard case .object(var end) = events[3].json else { throw NeverCame() }
    #expect(end.removeValue(forKey: "at") != nil)
    #expect(end == origin(["reason": .string("deleted")]))
  }

  @Test func `the stream can be filtered by app and label`() throws {
    let workshop = try Workshop()
    let (shop, labelled) = (try workshop.listenToAll("?app=shop"), try workshop.listenToAll("?label=mine&app=lab"))
    _ = try workshop.session("lab")
    let mine = try workshop.session("lab", #","label":"mine""#)
    let other = try workshop.session("shop", #","label":"mine""#)
    #expect(try shop.next(2).last?.json["session"] == .string(other.id))
    #expect(try labelled.next(2).last?.json["session"] == .string(mine.id))
  }

  @Test(.oneNode("a place in the feed of all sessions is one of its node"))
  func `a subscriber that reconnects gets the missed events while they are kept`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    var client: EventClient? = try workshop.listenToAll()
    _ = try client?.next()
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    let id = try #require(try client?.next()?.id)
    client = nil
    for number in 3...5 { _ = try session.act(#"{"step":"go","params":{"n":\#(number)}}"#) }
    let again = try workshop.listenToAll(headers: [("Last-Event-ID", id)])
    #expect(try again.next(3).map(\.revision) == [3, 4, 5])
    let elsewhere = try Workshop()
    _ = try elsewhere.session("lab")
    for other in [id, "1", "", "\(id)0"] {
      #expect(try elsewhere.listenToAll("?last_event_id=\(other)").next()?.name == "reset", "of another run")
    }
    #expect(try workshop.listenToAll("?last_event_id=\(id)0").next()?.name == "reset", "of what is to come")
  }

  @Test(.oneNode("a place in the feed of all sessions is one of its node"))
  func `missed events are dropped a minute after the last subscriber has left`() throws {
    let clock = ManualClock()
    let workshop = try Workshop(clock: clock)
    let session = try workshop.session("lab")
    var client: EventClient? = try workshop.listenToAll()
    let id = try #require(try client?.next()?.id)
    client = nil
    try wait { try workshop.send("GET", "/metrics").text.contains("cairn_streams{kind=\"all\"} 0\n") }
    clock.advance(by: 59_000)
    client = try workshop.listenToAll(headers: [("Last-Event-ID", id)])
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    #expect(try client?.next()?.name == "change")
    client = nil
    try wait { try workshop.send("GET", "/metrics").text.contains("cairn_streams{kind=\"all\"} 0\n") }
    try wait {
      clock.advance(by: 60_000)
      return try workshop.listenToAll(headers: [("Last-Event-ID", id)]).next()?.name == "reset"
    }
  }
}
