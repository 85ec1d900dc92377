import CairnCore
import CairnServer
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Forgetting a session's history over HTTP` {
  /// An app of a kiosk: at the end of a visit, a handler forgets the visit.
  private static let ward = """
    app: kiosk
    language: 1
    root: { flow: main, start: begin }
    screens:
      home: { emits: [patientIsChosen, visitEnds] }
      patient: { params: { name: string }, emits: [visitEnds, refused] }
    steps:
      begin:
      patientIsChosen: { name: string }
      visitEnds:
      refused:
    flows:
      main:
        stack: []
        handle:
          begin: { set: [home] }
          patientIsChosen: { push: patient, with: { name: $name } }
          visitEnds: [forget, popToRoot]
          refused: [forget, { popTo: patient }, { remove: home }, { popTo: home }]
    """

  private func ward() throws -> Driven {
    let workshop = try Workshop()
    _ = try workshop.put(definition: Self.ward)
    return try workshop.session("kiosk")
  }

  private func choose(_ name: String, _ session: Driven, headers: [(String, String)] = []) throws -> Reply {
    try session.act(#"{"step":"patientIsChosen","params":{"name":"\#(name)"}}"#, headers: headers)
  }

  /// The revisions of a page of history.
  private func revisions(_ page: Reply) -> [Int] {
    guard case .array(let entries)? = page["entries"] else { return [] }
    return entries.compactMap { if case .integer(let revision)? = $0["revision"] { Int(revision) } else { nil } }
  }

  @Test func `after an operator's request nothing before the newest revision can be read, and the session goes on`() throws {
    let session = try Workshop().session("lab")
    for number in 2...4 { _ = try session.act(#"{"step":"go","params":{"n":\#(number)}}"#) }
    let before = try session.get()
    let forgotten = try session.post("forget", "{}", as: Workshop.operatorKey)
    #expect(forgotten.status == 200 && forgotten["firstRevision"] == 4)
    #expect(try session.get().text == before.text && session.get().headers["etag"] == before.headers["etag"])
    for path in ["?revision=1", "?revision=3", "/history?after=0", "/history?after=3", "/history?as=scenario"] {
      let gone = try session.get(path)
      #expect(gone.status == 410 && gone.code == "history-gone" && gone["firstRevision"] == 4, "\(path): \(gone.text)")
    }
    #expect(try session.get("?revision=4")["tree"] == before["tree"])
    let history = try session.get("/history")
    #expect(history.status == 200 && history["firstRevision"] == 4 && history["entries"] == .array([]))
    _ = try session.act(#"{"step":"go","params":{"n":5}}"#)
    #expect(try revisions(session.get("/history")) == [5])
    #expect(try session.get("/history?after=4").status == 200)
    #expect(try session.undo(to: 2).code == "history-gone" && session.undo(to: 4).status == 200)
  }

  @Test func `history that is forgotten while a load runs does not end the load, and its result is the next entry`() throws {
    let workshop = try Workshop()
    _ = try workshop.put(
      definition: """
        app: kiosk
        language: 1
        compat: { emits: any }
        root: { flow: main }
        allowHosts: [api.example]
        screens:
          home:
          order: { params: { id: string } }
        steps:
          ask:
          found: { id: string }
        flows:
          main:
            stack: home
            handle:
              ask: { load: { get: "https://api.example/order", then: { step: found, with: { id: $result.id } } } }
              found: { push: order, with: { id: $id } }
        """)
    let session = try workshop.session("kiosk")
    _ = try session.act(#"{"step":"ask"}"#)
    _ = try workshop.outbound.call(0)
    #expect(try session.post("forget", "{}", as: Workshop.operatorKey)["firstRevision"] == 2)
    let tag = try #require(try session.get().headers["etag"])
    try workshop.outbound.end(0, .json(["id": "a7"]))
    #expect(try session.get("?wait=10s", headers: [("If-None-Match", tag)]).routes == ["home", "order"])
    #expect(try revisions(session.get("/history")) == [3])
  }

  @Test func `a part of the history is forgotten, and a repeated request changes nothing`() throws {
    let session = try Workshop().session("lab")
    for number in 2...6 { _ = try session.act(#"{"step":"go","params":{"n":\#(number)}}"#) }
    for _ in 1...2 { #expect(try session.post("forget", #"{"before":3}"#, as: Workshop.operatorKey)["firstRevision"] == 3) }
    #expect(try session.post("forget", #"{"before":2}"#, as: Workshop.operatorKey)["firstRevision"] == 3)
    #expect(try session.get("?revision=2").status == 410 && session.get("?revision=3").status == 200)
    let entries = try session.get("/history")
    #expect(entries["firstRevision"] == 3 && revisions(entries) == [4, 5, 6])
    #expect(try session.get("/history?as=scenario").code == "history-gone")
  }

  @Test func `a wrong request forgets nothing`() throws {
    let session = try Workshop().session("lab")
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    let cases: [(String, String?, [(String, String)], Int, String)] = [
      ("{}", nil, [], 403, "operator-only"),
      (#"{"before":0}"#, Workshop.operatorKey, [], 422, "invalid"),
      (#"{"before":"1"}"#, Workshop.operatorKey, [], 422, "invalid"),
      (#"{"after":1}"#, Workshop.operatorKey, [], 422, "invalid"),
      ("[]", Workshop.operatorKey, [], 400, "wrong-shape"),
      ("{", Workshop.operatorKey, [], 400, "not-json"),
      (#"{"before":3}"#, Workshop.operatorKey, [], 404, "unknown-revision"),
      ("{}", Workshop.operatorKey, [("If-Match", "\"1\"")], 412, "revision-mismatch"),
    ]
    for (body, key, headers, status, code) in cases {
      let reply = try session.post("forget", body, as: key, headers: headers)
      #expect(reply.status == status && reply.code == code, "\(body): \(reply.text)")
    }
    #expect(try session.get("/history?after=0").json["firstRevision"] == nil)
    #expect(try session.post("forget", "{}", as: Workshop.operatorKey, headers: [("If-Match", "\"2\"")]).status == 200)
  }

  @Test func `a handler that forgets leaves nothing of the visit, also if it changes nothing else`() throws {
    let session = try ward()
    #expect(try choose("canary-one", session).status == 200)
    #expect(try session.get("/history").text.contains("canary-one"))
    let ended = try session.act(#"{"step":"visitEnds"}"#)
    #expect(ended.status == 200 && ended.revision == 3)
    for path in ["", "?revision=3", "/history"] { #expect(try !session.get(path).text.contains("canary-one")) }
    #expect(try session.get("?revision=2").code == "history-gone" && session.get("/history")["firstRevision"] == 3)
    // At the root no node can be popped, so no revision is created.
    #expect(try session.act(#"{"step":"visitEnds"}"#)["outcome"] == "unchanged")
    #expect(try session.get("/history")["firstRevision"] == 3)
    #expect(try choose("canary-two", session).revision == 4)
    #expect(try session.get("/history").text.contains("canary-two"))
  }

  @Test func `an array that forgets and then is refused forgets nothing`() throws {
    let session = try ward()
    #expect(try choose("canary", session).status == 200)
    #expect(try session.act(#"[{"step":"visitEnds"},{"step":"refused"}]"#).status == 409)
    #expect(try session.get("/history").text.contains("canary"))
    #expect(try session.act(#"[{"step":"visitEnds"},{"step":"patientIsChosen","params":{"name":"next"}}]"#).revision == 4)
    let history = try session.get("/history")
    #expect(history["firstRevision"] == 3 && revisions(history) == [4] && !history.text.contains("canary"))
  }

  @Test func `a plan forgets nothing`() throws {
    let session = try ward()
    #expect(try choose("canary", session).status == 200)
    #expect(try session.post("actions?plan", #"{"step":"visitEnds"}"#).status == 200)
    #expect(try session.get("?revision=1").status == 200)
  }

  @Test func `a repeat of a forgotten request gets a mark and never runs`() throws {
    let session = try ward()
    func key(_ number: Int) -> [(String, String)] { [("Idempotency-Key", "\"key-\(number)-0123456789abcdef\"")] }
    #expect(try choose("canary", session, headers: key(1)).status == 200)
    #expect(try session.act(#"{"step":"visitEnds"}"#, headers: key(2)).status == 200)
    // The response to the request that forgets contains its events, so it is forgotten, too.
    for (body, number) in [(#"{"step":"patientIsChosen","params":{"name":"canary"}}"#, 1), (#"{"step":"visitEnds"}"#, 2)] {
      let again = try session.act(body, headers: key(number))
      #expect(again.status == 409 && again.code == "response-forgotten", "\(again.text)")
    }
    #expect(try session.get().revision == 3)
    #expect(try session.act(#"{"step":"visitEnds"}"#, headers: key(1)).code == "idempotency-key-reused")
    let next = try choose("next", session, headers: key(3))
    #expect(try next.status == 200 && choose("next", session, headers: key(3)).text == next.text)
  }

  @Test func `a repeated creation of a session that forgot gets a mark, and that of a deleted one is not found`() throws {
    let workshop = try Workshop()
    let key = [("Idempotency-Key", "\"8e03978e-40d5-43dd-bc93-6894a57f9324\"")]
    let created = try workshop.send("POST", "/v1/sessions", #"{"app":"lab"}"#, headers: key)
    guard case .string(let id)? = created["id"] else { throw Workshop.NoSession(reply: created) }
    #expect(try workshop.send("POST", "/v1/sessions/\(id)/forget", "{}", as: Workshop.operatorKey).status == 200)
    #expect(try workshop.send("POST", "/v1/sessions", #"{"app":"lab"}"#, headers: key).code == "response-forgotten")
    #expect(try workshop.send("DELETE", "/v1/sessions/\(id)", as: Workshop.operatorKey).status == 204)
    #expect(try workshop.send("POST", "/v1/sessions", #"{"app":"lab"}"#, headers: key).code == "unknown-session")
  }

  @Test func `a stream that reconnects from before the beginning begins with the whole session`() throws {
    let session = try ward()
    let client = try session.listen()
    _ = try client.next()
    _ = try choose("canary", session)
    #expect(try client.next()?.taggedRevision == 2)
    let tag = try #require(try session.get().headers["etag"]).filter { $0 != "\"" }
    _ = try session.act(#"{"step":"visitEnds"}"#)
    let first = try #require(try session.get().headers["etag"]).filter { $0 != "\"" }
    for id in [tag, "2", "1"] {
      let late = try session.listen(headers: [("Last-Event-ID", id)])
      let reset = try #require(try late.next())
      #expect(reset.name == "reset" && reset.taggedRevision == 3 && !reset.data.contains("canary"), "\(id)")
    }
    _ = try choose("next", session)
    for id in [first, "3"] {
      let change = try #require(try session.listen(headers: [("Last-Event-ID", id)]).next())
      #expect(change.name == "change" && change.taggedRevision == 4, "\(id)")
    }
  }

  @Test func `a stream of all sessions that reconnects does not receive what was forgotten since`() throws {
    let session = try ward()
    let other = try session.workshop.session("lab")
    let client = try session.workshop.listenToAll()
    let reset = try #require(try client.next()?.id)
    _ = try choose("canary", session)
    _ = try other.act(#"{"step":"go","params":{"n":2}}"#)
    #expect(try client.next(2).contains { $0.data.contains("canary") })
    #expect(try session.act(#"{"step":"visitEnds"}"#).status == 200)
    #expect(try choose("next", session).status == 200)
    // A node does not receive the events that another node's commit has created and forgotten at once.
    while let event = try client.next(), !event.data.contains("next") { #expect(event.json["session"] == .string(session.id)) }
    let late = try session.workshop.listenToAll(headers: [("Last-Event-ID", reset)])
    let first = try #require(try late.next())
    // With two nodes, the other node does not have the earlier events, so it sends a reset.
    guard first.name == "change" else { return #expect(first.name == "reset" && first.data == "{}") }
    let second = try #require(try late.next())
    #expect(first.json["session"] == .string(other.id) && second.data.contains("next") && !second.data.contains("canary"))
  }
}
