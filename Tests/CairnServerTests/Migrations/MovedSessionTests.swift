import CairnCore
import CairnServer
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Moving a session over HTTP` {
  @Test func `a session has the new definition, its pages under their new names, and one more revision`() throws {
    let kiosk = try Kiosk()
    let session = kiosk.session
    try session.readTerms(2)
    let moved = try session.move(to: kiosk.new)
    #expect(moved.status == 200 && moved["outcome"] == "performed" && moved.revision == 3 && moved.taggedRevision == 3)
    #expect(moved.pages == ["home", "conditions 2"])
    #expect(moved["visible", "screen"] == "conditions")
    let now = try session.get()
    #expect(now["definition"] == .string(kiosk.new) && now.revision == 3 && now.headers["etag"] == moved.headers["etag"])
    #expect(now["facts"] == ["accessToken": false, "seen": 0] && now.pages == ["home", "conditions 2"])
    #expect(try session.act(#"{"step":"conditionsAreRequired","params":{"number":3}}"#).pages == ["home", "conditions 2", "conditions 3"])
  }

  @Test func `the history has an entry with both hashes and the operator, and the changes to play`() throws {
    let kiosk = try Kiosk()
    try kiosk.session.readTerms(2)
    let moved = try kiosk.session.move(to: kiosk.new)
    guard case .array(let entries)? = try kiosk.session.get("/history?after=2")["entries"], case .object(var entry)? = entries.first else {
      throw NeverCame()
    }
    #expect(entries.count == 1 && entry.removeValue(forKey: "at") != nil && entry.removeValue(forKey: "request") != nil)
    #expect(
      entry == [
        "action": ["from": .string(kiosk.old), "to": .string(kiosk.new), "type": "migrated"], "by": "operator", "outcome": "performed",
        "revision": 3, "events": moved["events"] ?? [], "changes": moved["changes"] ?? [],
      ])
    guard case .array(let changes)? = moved["changes"] else { throw NeverCame() }
    #expect(changes.map { $0["op"] } == ["replace"])
  }

  @Test func `each revision shows the definition and the tree that it had`() throws {
    let kiosk = try Kiosk()
    let session = kiosk.session
    try session.readTerms(2)
    let before = try session.get()
    _ = try session.move(to: kiosk.new)
    let third = try kiosk.putThird()
    _ = try session.move(to: third)
    _ = try session.act(#"{"step":"policyIsRequired","params":{"number":3}}"#)
    let seen = try (1...5).map { try session.get("?revision=\($0)") }
    #expect(seen.map { $0["definition"] } == [kiosk.old, kiosk.old, kiosk.new, third, third].map { .string($0) })
    #expect(
      seen.map(\.pages)
        == [["home"], ["home", "terms 2"], ["home", "conditions 2"], ["home", "policy 2"], ["home", "policy 2", "policy 3"]])
    #expect(seen[1].text == before.text)
  }

  @Test func `a plan returns what the move would, and changes nothing`() throws {
    let kiosk = try Kiosk()
    let session = kiosk.session
    try session.readTerms(2)
    let before = try session.whole()
    let planned = try session.move(to: kiosk.new, "?plan")
    #expect(try session.whole() == before)
    let moved = try session.move(to: kiosk.new)
    #expect(planned.status == 200 && planned["plan"] == true && planned.revision == 3 && planned.taggedRevision == 2)
    guard case .object(var members) = planned.json, case .object(var others) = moved.json else { throw NeverCame() }
    for name in ["plan", "instance"] { members[name] = nil }
    for name in ["plan", "instance"] { others[name] = nil }
    #expect(members == others)
    let again = try session.move(to: kiosk.new, "?plan")
    #expect(again.status == 200 && again["outcome"] == "unchanged" && again["reason"] == "already-there" && again.revision == 3)
  }

  @Test func `the tag of a plan or another revision decides whether the session moves`() throws {
    let kiosk = try Kiosk()
    let session = kiosk.session
    let planned = try session.move(to: kiosk.new, "?plan")
    let tag = [("If-Match", planned.headers["etag"] ?? "")]
    try session.readTerms(2)
    let before = try session.whole()
    for query in ["", "?plan"] {
      let late = try session.move(to: kiosk.new, query, headers: tag)
      #expect(late.status == 412 && late.code == "revision-mismatch" && late.revision == 2 && late.taggedRevision == 2, "\(query)")
    }
    #expect(try session.whole() == before)
    let now = [("If-Match", try session.get().headers["etag"] ?? "")]
    #expect(try session.move(to: kiosk.new, headers: now).revision == 3)
    #expect(try session.move(to: kiosk.new, headers: now).status == 412)
  }

  @Test func `a second move to the same definition changes nothing`() throws {
    let kiosk = try Kiosk()
    _ = try kiosk.session.move(to: kiosk.new)
    let before = try kiosk.session.whole()
    let again = try kiosk.session.move(to: kiosk.new)
    #expect(again.status == 200 && again["outcome"] == "unchanged" && again["reason"] == "already-there" && again.taggedRevision == 2)
    #expect(try kiosk.session.whole() == before)
  }

  @Test func `without a document between two definitions the shortest chain is used, in one revision`() throws {
    let kiosk = try Kiosk()
    try kiosk.session.readTerms(2)
    let third = try kiosk.putThird()
    let moved = try kiosk.session.move(to: third)
    #expect(moved.status == 200 && moved.revision == 3 && moved.pages == ["home", "policy 2"])
    let entries = try kiosk.session.entries(after: 2)
    #expect(entries.map { $0["cause"] } == [["from": .string(kiosk.old), "to": .string(third), "type": "migrated"]])
    // A document that leads directly to the third version is preferred to a chain of documents.
    let direct = try Kiosk()
    try direct.session.readTerms(2)
    let other = try direct.putThird()
    let document = Kiosk.migration.replacing("conditionsAreRequired", with: "policyIsRequired").replacing("conditions", with: "policy")
      .replacing("number: $page }", with: "number: 9 }, drop: [page]")
    #expect(try direct.workshop.put(migration: document, from: direct.old, to: other).status == 200)
    #expect(try direct.session.move(to: other).pages == ["home", "policy 9"])
  }

  @Test func `a minimal response has no body of the session`() throws {
    let kiosk = try Kiosk()
    let moved = try kiosk.session.move(to: kiosk.new, headers: [("Prefer", "return=minimal")])
    #expect(moved.status == 200 && moved.headers["preference-applied"] == "return=minimal" && moved["stack"] == nil)
    #expect(moved.revision == 2 && moved["outcome"] == "performed")
  }

  @Test func `a timer that both definitions have goes on with its deadline`() throws {
    let clock = ManualClock()
    let kiosk = try Kiosk(Workshop(clock: clock))
    let session = kiosk.session
    _ = try session.act(#"{"step":"sleep"}"#)
    clock.advance(by: 4_000)
    #expect(try session.move(to: kiosk.new).pages == ["home"])
    clock.advance(by: 5_999)
    #expect(try session.get().revision == 3)
    let client = try session.listen(headers: [("Last-Event-ID", "3")])
    clock.advance(by: 1)
    #expect(try client.next()?.taggedRevision == 4)
    #expect(try session.get().pages == ["home", "conditions 100"])
  }

  @Test func `a session with a manual clock keeps it`() throws {
    let kiosk = try Kiosk(session: #","clock":"manual""#)
    let session = kiosk.session
    _ = try session.act(#"{"step":"sleep"}"#)
    _ = try session.act(#"{"type":"advance","by":"4s"}"#)
    let before = try session.get()["clock"]
    _ = try session.move(to: kiosk.new)
    #expect(try session.get()["clock"] == before)
    #expect(try session.act(#"{"type":"advance","by":"5999ms"}"#).pages == ["home"])
    #expect(try session.act(#"{"type":"advance","by":"1ms"}"#).pages == ["home", "conditions 100"])
  }

  @Test func `a new fact of the environment has the value that the service has`() throws {
    let workshop = try Workshop(environment: ["KIOSK_CITY": "Oslo"])
    let kiosk = try Kiosk(workshop)
    let text = Kiosk.second.replacing("facts:", with: "facts:\n  city: { type: string, env: KIOSK_CITY, shown: true }")
    let third = try workshop.put(definition: text)
    #expect(try workshop.put(migration: Kiosk.migration, from: kiosk.old, to: third).status == 200)
    _ = try kiosk.session.move(to: third, "?plan")
    #expect(try kiosk.session.get()["facts", "city"] == nil)
    _ = try kiosk.session.move(to: third)
    #expect(try kiosk.session.get()["facts"] == ["accessToken": false, "city": "Oslo", "seen": 0])
  }

  @Test func `the secret and the access token stay`() throws {
    let kiosk = try Kiosk(session: #","accessToken":"the-token""#)
    _ = try kiosk.session.move(to: kiosk.new)
    #expect(try kiosk.session.get()["login"] == ["status": "loggedIn"])
    _ = try kiosk.session.act(#"{"type":"logout"}"#)
    #expect(try kiosk.session.get()["login"] == ["status": "loggedOut"])
  }

  @Test func `a repeat with its key after the move gets the first response`() throws {
    let kiosk = try Kiosk()
    let session = kiosk.session
    let key = [("Idempotency-Key", "a-key-of-the-first-version")]
    let body = #"{"step":"termsAreRequired","params":{"page":2}}"#
    let first = try session.act(body, headers: key)
    _ = try session.move(to: kiosk.new)
    let again = try session.act(body, headers: key)
    #expect(first.status == 200 && first.pages == ["home", "terms 2"])
    #expect(again.text == first.text && again.status == 200 && again.headers["etag"] == first.headers["etag"])
    #expect(again.headers["idempotency-replayed"] == "true")
    #expect(try session.get().revision == 3)
  }

  @Test func `lists find a session by its present definition`() throws {
    let kiosk = try Kiosk()
    let other = try kiosk.workshop.session("kiosk")
    func ids(_ hash: String) throws -> [Value?] {
      guard
        case .array(let items)? = try kiosk.workshop.send("GET", "/v1/sessions?definition=\(hash)", as: Workshop.operatorKey)["sessions"]
      else { throw NeverCame() }
      return items.map { $0["id"] }
    }
    func counts() throws -> [Value?] {
      guard case .array(let items)? = try kiosk.workshop.send("GET", "/v1/apps/kiosk/versions", as: Workshop.operatorKey)["versions"]
      else { throw NeverCame() }
      return items.map { $0["sessions"] }
    }
    #expect(try ids(kiosk.old) == [.string(kiosk.session.id)] && ids(kiosk.new) == [.string(other.id)] && counts() == [1, 1])
    _ = try kiosk.session.move(to: kiosk.new)
    #expect(try ids(kiosk.old) == [] && ids(kiosk.new) == [.string(kiosk.session.id), .string(other.id)] && counts() == [0, 2])
  }

  @Test func `the history as a scenario names both definitions, and runs over one move only`() throws {
    let kiosk = try Kiosk()
    try kiosk.session.readTerms(2)
    _ = try kiosk.session.move(to: kiosk.new)
    let told = try kiosk.session.get("/history?as=scenario")
    #expect(told.status == 200 && told.headers["content-type"] == "application/yaml")
    for part in [
      "now on the definition \(kiosk.new).", "\napp: kiosk.yaml\nmigration: kiosk.migrate.yaml\n",
      "definition: kiosk-\(kiosk.old.prefix(12)).yaml",
      #"migrate]"#, #"then: { visible: conditions, tree: "main[home, conditions(number: 2)]" }"#,
    ] { #expect(told.text.contains(part), "\(part) in \(told.text)") }
    _ = try kiosk.session.move(to: try kiosk.putThird())
    let twice = try kiosk.session.get("/history?as=scenario")
    #expect(twice["detail"] == "this history cannot be written as a scenario: the session moved to another definition more than once")
  }
}
