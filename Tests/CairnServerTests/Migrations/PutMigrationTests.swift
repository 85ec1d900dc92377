import CairnCore
import CairnHTTP
import CairnJournal
import CairnServer
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Putting migrations` {
  private let key = Workshop.operatorKey

  /// The members of a document's body, without the time at which it was put.
  private func members(_ body: Value?) throws -> [String: Value] {
    guard case .object(var members)? = body else { throw NeverCame() }
    #expect(members.removeValue(forKey: "since") != nil)
    return members
  }

  private func list(_ workshop: Workshop, of app: String = "kiosk") throws -> [[String: Value]] {
    let reply = try workshop.send("GET", "/v1/apps/\(app)/migrations", as: key)
    guard reply.status == 200, reply["app"] == .string(app), case .array(let all)? = reply["migrations"] else { throw NeverCame() }
    return try all.map { try members($0) }
  }

  private func show(_ workshop: Workshop, _ from: String, _ to: String) throws -> Reply {
    try workshop.send("GET", "/v1/apps/kiosk/migrations/\(from)/\(to)", as: key)
  }

  @Test func `the migrations of an app that does not exist are 404`() throws {
    let workshop = try Workshop()
    let reply = try workshop.send("GET", "/v1/apps/nope/migrations", as: key)
    #expect(reply.status == 404 && reply.code == "not-found")
    #expect(try list(workshop, of: "lab") == [])
  }

  @Test func `a document is stored as JSON, with its operator, and replaced by the next one`() throws {
    let clock = ManualClock(1_700_000_000_123)
    let workshop = try Workshop(
      operators: [OperatorKey(name: "operator", key: key), OperatorKey(name: "alice", key: "the-key-of-alice")], clock: clock)
    let kiosk = try Kiosk(workshop, migration: nil)
    #expect(try list(workshop) == [])
    let first = try workshop.put(migration: "# words\n" + Kiosk.migration, from: kiosk.old, to: kiosk.new)
    let body: [String: Value] = ["app": "kiosk", "by": "operator", "from": .string(kiosk.old), "to": .string(kiosk.new)]
    #expect(try first.status == 200 && members(first.json) == body && first["since"] == "2023-11-14T22:13:20.123Z")
    let shown = try show(workshop, kiosk.old, kiosk.new)
    #expect(shown.status == 200 && shown.headers["content-type"] == "application/json")
    #expect(
      shown.json == [
        "screens": ["terms": ["to": "conditions", "params": ["number": "$page"]], "ads": ["popTo": "home"]],
        "steps": [
          "termsAreRequired": ["to": "conditionsAreRequired", "params": ["number": "$page"]], "adIsClicked": "remove",
          "adFillsScreen": "remove",
        ], "facts": ["visits": ["to": "seen"], "nick": ["to": "alias"]],
      ])
    clock.advance(by: 1_000)
    let other = Kiosk.migration.replacing("popTo: home", with: "replace: home")
    let second = try workshop.put(migration: other, from: kiosk.old, to: kiosk.new, as: "the-key-of-alice")
    #expect(second.status == 200 && second["by"] == "alice" && second["since"] == "2023-11-14T22:13:21.123Z")
    #expect(try list(workshop) == [body.merging(["by": "alice"]) { $1 }])
    #expect(try show(workshop, kiosk.old, kiosk.new)["screens", "ads"] == ["replace": "home"])
    // The replaced document is no longer used.
    _ = try kiosk.session.act(#"{"step":"adFillsScreen"}"#)
    #expect(try kiosk.session.move(to: kiosk.new).pages == ["home"])
  }

  @Test func `a document in JSON is the same as one in YAML`() throws {
    let kiosk = try Kiosk()
    let stored = try show(kiosk.workshop, kiosk.old, kiosk.new).text
    let reply = try kiosk.workshop.put(migration: stored, from: kiosk.old, to: kiosk.new, type: "application/json")
    #expect(try reply.status == 200 && show(kiosk.workshop, kiosk.old, kiosk.new).text == stored)
  }

  @Test func `the documents of an app are listed by their definitions, without those of other apps`() throws {
    let kiosk = try Kiosk()
    let third = try kiosk.putThird()
    let pairs = [(kiosk.old, kiosk.new), (kiosk.new, third)].sorted { $0 < $1 }
    #expect(try list(kiosk.workshop).map { [$0["from"], $0["to"]] } == pairs.map { [.string($0.0), .string($0.1)] })
    #expect(try list(kiosk.workshop, of: "lab") == [])
    #expect(try show(kiosk.workshop, kiosk.old, third).code == "not-found")
    #expect(try kiosk.workshop.send("GET", "/v1/apps/lab/migrations/\(kiosk.old)/\(kiosk.new)", as: key).code == "not-found")
  }

  @Test func `an incomplete document is rejected with all open places, and the one before stays`() throws {
    let kiosk = try Kiosk()
    let before = try show(kiosk.workshop, kiosk.old, kiosk.new).text
    let text = """
      screens:
        terms: { to: conditions }
        ads: { popTo: house }
      steps:
        termsAreRequired: { to: conditionsAreRequired, params: { number: $page } }
        adIsClicked: TODO
      facts:
        visits: remove
      """
    let reply = try kiosk.workshop.put(migration: text, from: kiosk.old, to: kiosk.new)
    #expect(reply.status == 422 && reply.code == "invalid-migration" && reply["detail"] == "the migration has 6 errors")
    let (old, new) = (String(kiosk.old.prefix(12)), String(kiosk.new.prefix(12)))
    #expect(
      reply.faults.map { $0.replacing(/\s\([^)]*\)/, with: "").replacing(old, with: "OLD").replacing(new, with: "NEW") } == [
        "2:3: param `number` of the screen `conditions` is new: open nodes of the screen need a value; write `terms: { params: { number: VALUE } }`",
        "2:3: param `page` of the screen `terms` does not exist in NEW: the value in open nodes of the screen would be lost; its new name may be `number`; "
          + "read it as `$page` in `params` of `terms`, or write `terms: { drop: [page] }`",
        "3:17: there is no screen `house` in NEW; the declared ones are `conditions`, `home`",
        "4:1: the step `adFillsScreen` does not exist in NEW: specify how to migrate posts, timers and calls with it: `{ to: STEP }` or `remove`",
        "6:16: the line of the step `adIsClicked` must be `{ to: STEP }` or `remove`, not `TODO`",
        "7:1: the fact `nick` does not exist in NEW: specify how to migrate its value: `{ to: FACT }` or `remove`, or read it as `$fact.nick` in `values`; "
          + "its new name may be `alias`",
      ])
    #expect(try show(kiosk.workshop, kiosk.old, kiosk.new).text == before)
  }

  @Test(arguments: ["", "[]", "7", "screens: [", "screens: {}\nscreens: {}", "a: &a [*a]", "nonsense: 1"])
  func `what is no document is rejected`(text: String) throws {
    let kiosk = try Kiosk(migration: nil)
    let reply = try kiosk.workshop.put(migration: text, from: kiosk.old, to: kiosk.new)
    #expect(reply.status == 422 && reply.code == "invalid-migration" && !reply.faults.isEmpty, "\(reply.text)")
    #expect(try list(kiosk.workshop) == [])
  }

  @Test func `both definitions must be known, of the app, and different`() throws {
    let kiosk = try Kiosk(migration: nil)
    let lab = try kiosk.workshop.session("lab").created["definition"]?.word ?? ""
    for (from, to, hash) in [
      (Kiosk.unknown, kiosk.new, Kiosk.unknown), (kiosk.old, Kiosk.unknown, Kiosk.unknown), (lab, kiosk.new, lab), (kiosk.old, lab, lab),
      ("x", "y", "x"),
    ] {
      let reply = try kiosk.workshop.put(migration: Kiosk.migration, from: from, to: to)
      #expect(reply.status == 404 && reply.code == "not-found")
      #expect(reply["detail"] == .string("the app kiosk has no definition with the hash \(hash); put it first"))
    }
    let same = try kiosk.workshop.put(migration: "{}", from: kiosk.new, to: kiosk.new)
    #expect(same.status == 422 && same["detail"] == "the two definitions of a migration must differ")
    #expect(try list(kiosk.workshop) == [])
  }

  @Test func `only operators put, list and read documents`() throws {
    let kiosk = try Kiosk(migration: nil)
    let pair = "/v1/apps/kiosk/migrations/\(kiosk.old)/\(kiosk.new)"
    for (who, status) in [(nil, 401), ("nobody's", 401), (kiosk.session.secret, 403)] {
      #expect(try kiosk.workshop.put(migration: Kiosk.migration, from: kiosk.old, to: kiosk.new, as: who).status == status)
      for path in ["/v1/apps/kiosk/migrations", pair] { #expect(try kiosk.workshop.send("GET", path, as: who).status == status) }
    }
    #expect(try list(kiosk.workshop) == [])
  }

  @Test(
    arguments: [
      ("text/yaml; charset=utf-8", 200), ("application/x-yaml", 200), (nil, 200), ("text/plain", 415),
      ("application/yaml; charset=latin1", 415),
      ("image/png", 415),
    ] as [(String?, Int)])
  func `the declared media type decides whether a document is read`(type: String?, status: Int) throws {
    let kiosk = try Kiosk(migration: nil)
    let reply = try kiosk.workshop.put(migration: Kiosk.migration, from: kiosk.old, to: kiosk.new, type: type)
    #expect(reply.status == status)
    if status == 415 {
      #expect(reply.code == "unsupported-media-type" && reply.headers["accept"] == "application/yaml, text/yaml, application/json")
      #expect(try list(kiosk.workshop) == [])
    }
  }

  @Test func `a body that is not text or is compressed is rejected, and so is a query`() throws {
    let kiosk = try Kiosk(migration: nil)
    let path = "/v1/apps/kiosk/migrations/\(kiosk.old)/\(kiosk.new)"
    let bytes = try Wire.send(
      kiosk.workshop.port, "PUT", path, headers: [("Authorization", "Bearer \(key)")], body: [0x61, 0xFF, 0xFE])
    #expect(bytes.status == 400 && bytes.code == "bad-request")
    let packed = try kiosk.workshop.put(
      migration: Kiosk.migration, from: kiosk.old, to: kiosk.new, headers: [("Content-Encoding", "gzip")])
    #expect(packed.status == 415)
    #expect(try kiosk.workshop.put(migration: Kiosk.migration, from: kiosk.old, to: kiosk.new + "?x=1").places == ["?x"])
    #expect(try list(kiosk.workshop) == [])
  }

  @Test func `a setting disables putting documents, and reading them stays possible`() throws {
    let workshop = try Workshop(isWritable: false)
    let path = "/v1/apps/kiosk/migrations/\(Kiosk.unknown)/\(Kiosk.unknown)"
    let reply = try workshop.send("PUT", path, "{}", as: key, type: "application/yaml")
    #expect(reply.status == 405 && reply.headers["allow"] == "GET, HEAD, OPTIONS")
    #expect(try list(workshop, of: "lab") == [])
  }

  @Test(.oneNode("it reads the log of one node")) func `the log has the operator and both hashes, but not the text`() throws {
    let kiosk = try Kiosk()
    let line = try #require(kiosk.workshop.log.all.first { $0.contains("action=put-migration") })
    #expect(line.hasPrefix("notice audit ") && line.contains("app=kiosk") && line.contains("who=operator"))
    #expect(line.contains("before=\(kiosk.old)") && line.contains("definition=\(kiosk.new)"))
    #expect(!kiosk.workshop.log.all.contains { $0.contains("popTo") })
  }

  @Test(.oneNode("it breaks the journal in memory")) func `a document that the journal rejects is not used`() throws {
    let kiosk = try Kiosk(migration: nil)
    kiosk.workshop.journal.fail(with: .full)
    let reply = try kiosk.workshop.put(migration: Kiosk.migration, from: kiosk.old, to: kiosk.new)
    #expect(reply.status == 503 && reply.code == "storage")
    kiosk.workshop.journal.fail(with: nil)
    #expect(try kiosk.session.move(to: kiosk.new).code == "no-migration")
  }
}
