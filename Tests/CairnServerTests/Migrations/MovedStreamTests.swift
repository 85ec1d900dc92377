import CairnCore
import CairnRuntime
import CairnServer
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Streams of sessions that move` {
  @Test func `a stream gets the new hash without an id, then the change`() throws {
    let kiosk = try Kiosk()
    try kiosk.session.readTerms(2)
    let client = try kiosk.session.listen(headers: [("Last-Event-ID", "2")])
    let moved = try kiosk.session.move(to: kiosk.new)
    let events = try client.next(2)
    #expect(events.map(\.name) == ["migrated", "change"])
    #expect(events[0].id == nil && events[0].json == ["definition": .string(kiosk.new), "revision": 3])
    #expect(events[1].taggedRevision == 3 && events[1].json["changes"] == moved["changes"])
    #expect(try [events[1].json] == kiosk.session.entries(after: 2))
    _ = try kiosk.session.act(#"{"step":"conditionsAreRequired","params":{"number":3}}"#)
    #expect(try client.next()?.name == "change")
  }

  @Test(arguments: [true, false]) func `a subscriber that reconnects gets both events of each move and undo that it missed`(inMemory: Bool)
    throws
  {
    let kiosk = try Kiosk(Workshop(cache: inMemory ? 300 << 20 : 1))
    let session = kiosk.session
    try session.readTerms(2)
    _ = try session.move(to: kiosk.new)
    _ = try session.act(#"{"step":"conditionsAreRequired","params":{"number":3}}"#)
    _ = try session.undo(to: 2)
    func names(after id: String) throws -> [String] {
      let client = try session.listen(headers: [("Last-Event-ID", id)])
      var found: [String] = []
      while found.last != "change 5", let event = try client.next() {
        found.append(
          event.name == "migrated"
            ? "migrated \(event.json["definition"]?.word == kiosk.new ? "new" : "old")" : "\(event.name) \(event.taggedRevision ?? 0)")
      }
      return found
    }
    let rest = ["migrated new", "change 3", "change 4", "migrated old", "change 5"]
    #expect(try names(after: "1") == ["change 2"] + rest)
    #expect(try names(after: "2") == rest)
    #expect(try names(after: "3") == ["change 4", "migrated old", "change 5"])
    #expect(try names(after: "4") == ["migrated old", "change 5"])
  }

  @Test func `the replayed change of a move equals the one that was sent`() throws {
    let kiosk = try Kiosk()
    try kiosk.session.readTerms(2)
    let client = try kiosk.session.listen(headers: [("Last-Event-ID", "2")])
    _ = try kiosk.session.move(to: kiosk.new)
    _ = try kiosk.session.undo(to: 2)
    let live = try client.next(4)
    let again = try kiosk.session.listen(headers: [("Last-Event-ID", "2")]).next(4)
    #expect(live.map(\.name) == ["migrated", "change", "migrated", "change"])
    for (one, other) in zip(live, again) {
      #expect(one.name == other.name && one.id == other.id && one.json["changes"] == other.json["changes"])
      #expect(one.json["cause"] == other.json["cause"] && one.json["revision"] == other.json["revision"])
    }
  }

  @Test func `a new stream begins with the session as it is, without the event`() throws {
    let kiosk = try Kiosk()
    _ = try kiosk.session.move(to: kiosk.new)
    let client = try kiosk.session.listen()
    let reset = try #require(try client.next())
    #expect(reset.name == "reset" && reset.json["definition"] == .string(kiosk.new))
    _ = try kiosk.session.act(#"{"step":"conditionsAreRequired","params":{"number":3}}"#)
    #expect(try client.next()?.name == "change")
  }

  @Test func `the stream of all sessions has both events with session, app and label`() throws {
    let kiosk = try Kiosk(session: #","label":"mine""#)
    let (all, others) = (try kiosk.workshop.listenToAll(), try kiosk.workshop.listenToAll("?label=other"))
    _ = try all.next()
    _ = try others.next()
    _ = try kiosk.session.move(to: kiosk.new)
    let other = try kiosk.workshop.session("kiosk", #","label":"other""#)
    let origin: [String: Value] = ["session": .string(kiosk.session.id), "app": "kiosk", "label": "mine"]
    let events = try all.next(3)
    #expect(events.map(\.name) == ["migrated", "change", "started"])
    #expect(events[0].id == nil && events[0].json == .object(origin.merging(["definition": .string(kiosk.new), "revision": 2]) { $1 }))
    #expect(events[1].id != nil)
    guard case .object(let entry)? = try kiosk.session.entries(after: 1).first else { throw NeverCame() }
    #expect(events[1].json == .object(entry.merging(origin) { $1 }))
    #expect(events[2].json["definition"] == .string(kiosk.new))
    #expect(try others.next()?.json["session"] == .string(other.id))
  }

  @Test func `a move and an undo end a long poll`() throws {
    let kiosk = try Kiosk(Workshop(clock: ManualClock()))
    let session = kiosk.session
    func waiting() throws -> Awaited<Reply> {
      let answer = Awaited<Reply>()
      let tag = try session.get().headers["etag"] ?? ""
      _ = try NamedThread("wait") {
        if let reply = try? session.get("?wait=30s", headers: [("If-None-Match", tag)]) { answer.give(reply) }
      }
      try wait(for: "a request that waits") { try kiosk.workshop.total("cairn_waiting") == 1 }
      return answer
    }
    let first = try waiting()
    _ = try session.move(to: kiosk.new)
    #expect(try first.value()["definition"] == .string(kiosk.new) && first.value().taggedRevision == 2)
    let second = try waiting()
    _ = try session.undo(to: 1)
    #expect(try second.value()["definition"] == .string(kiosk.old) && second.value().taggedRevision == 3)
  }
}
