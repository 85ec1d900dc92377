import CairnAPI
import CairnCore
import CairnServer
import CairnTesting
import Testing

/// Responses for engines in clients: a state, and the difference that each entry makes.
@Suite(.tags(.timing), .ownThreads) struct `Replicas over HTTP` {
  private static let client = "client-of-twenty-two-x"
  private static let asked = [("Prefer", "replica")]

  private static func bytes(_ value: Value?) throws -> [UInt8] { Array(try #require(value?.word).utf8) }

  /// A replica of a session as a client builds it.
  private func replica(of session: Driven) throws -> Replica {
    let definition = try DefinitionFormat.read(Array(try session.get("/definition").text.utf8))
    return try Replica(definition, state: Self.bytes(try session.get("/replica")["state"]))
  }

  private func confirm(_ value: Value?, _ replica: inout Replica, number: WideInt? = nil) throws -> ReplicaUpdate {
    let part = try #require(value?["replica"])
    #expect(part["format"] == .integer(WideInt(ReplicaFormat.version)))
    return try replica.confirm(Self.bytes(part["difference"]), number: number)
  }

  private func expect(_ replica: Replica, toShow session: Driven, _ source: SourceLocation = #_sourceLocation) throws {
    var writer = JSONWriter()
    replica.tree.write(to: &writer)
    let shown = try JSONBody.read(writer.bytes())
    #expect(try shown == session.get()["tree"], sourceLocation: source)
  }

  private func numbered(_ first: Int, _ actions: String..., for session: Driven) throws -> Reply {
    try session.post(
      "actions", #"{"client":"\#(Self.client)","first":\#(first),"actions":[\#(actions.joined(separator: ","))]}"#,
      headers: [("Prefer", "return=minimal, replica")])
  }

  private func go(_ n: Int) -> String { #"{"step":"go","params":{"n":\#(n)}}"# }

  @Test func `a replica that applies the differences of posts and predicts shows what the service shows`() throws {
    let session = try Workshop().session("lab", #","clock":"manual""#)
    var replica = try replica(of: session)
    try expect(replica, toShow: session)
    // The confirmation of a correct prediction changes nothing.
    for (number, text) in [(1, go(4)), (2, go(5)), (3, #"{"type":"pop"}"#)] as [(WideInt, String)] {
      let action = try #require(try JSONDocument.read(Array(text.utf8), depthLimit: 64) { Action(posted: $0) })
      guard case .shown = replica.predict(action, number: number, at: 0) else { throw NeverCame("a prediction of \(text)") }
    }
    let reply = try numbered(1, go(4), go(5), #"{"type":"pop"}"#, for: session)
    guard case .array(let answers)? = reply["answers"] else { throw NeverCame(reply.text) }
    #expect(reply.headers["preference-applied"] == "return=minimal, replica" && answers.count == 3)
    for (place, answer) in answers.enumerated() {
      #expect(try confirm(answer, &replica, number: WideInt(place + 1)) == ReplicaUpdate())
    }
    try expect(replica, toShow: session)
    // Other posts: with a key, without a key, and with several actions.
    let one = try session.act(go(6), headers: Self.asked)
    #expect(try !confirm(one.json, &replica).changes.isEmpty && one.headers["preference-applied"] == "replica")
    let keyed = try session.act(go(7), headers: [("Prefer", "replica"), ("Idempotency-Key", "a")])
    #expect(try !confirm(keyed.json, &replica).changes.isEmpty && keyed.headers["preference-applied"] == "replica")
    guard case .array(let several)? = try session.act("[\(go(8)),{\"type\":\"back\"}]", headers: Self.asked)["answers"] else { return }
    for answer in several { _ = try confirm(answer, &replica) }
    _ = try confirm(session.post("open", #"{"url":"lab://go/3"}"#, headers: Self.asked).json, &replica)
    try expect(replica, toShow: session)
  }

  @Test func `what makes no entry, several, or was answered before has no difference`() throws {
    let session = try Workshop().session("lab", #","clock":"manual""#)
    _ = try session.act(#"{"type":"appState","state":"foreground"}"#)
    let unchanged = try session.act(#"{"type":"appState","state":"foreground"}"#, headers: Self.asked)
    #expect(unchanged["outcome"] == "unchanged" && unchanged["replica"] == nil)
    _ = try session.act(#"{"step":"tick"}"#)
    let advanced = try session.act(#"{"type":"advance","by":"11s"}"#, headers: Self.asked)
    #expect(advanced.revision == 4 && advanced["replica"] == nil)
    let key = ("Idempotency-Key", "a")
    #expect(try session.act(go(7), headers: Self.asked + [key])["replica"] != nil)
    let again = try session.act(go(7), headers: Self.asked + [key])
    #expect(again["replica"] == nil && again.headers["idempotency-replayed"] == "true" && again.headers["preference-applied"] == nil)
    let first = try numbered(1, go(1), for: session)
    let second = try numbered(1, go(1), go(2), for: session)
    #expect(first.text.contains("difference"))
    guard case .array(let answers)? = second["answers"] else { throw NeverCame(second.text) }
    #expect(answers.map { $0["replica"] == nil } == [true, false])
    let plan = try session.post("actions?plan", go(9), headers: Self.asked)
    #expect(plan.status == 200 && plan["replica"] == nil)
  }

  @Test func `every whole session has the whole replica if it is asked for`() throws {
    let workshop = try Workshop()
    let headers = Self.asked + [("Idempotency-Key", "a-key-that-cannot-be-guessed-by-others")]
    let created = try workshop.send("POST", "/v1/sessions", #"{"app":"lab"}"#, headers: headers)
    guard case .string(let id)? = created["id"], case .string(let secret)? = created["secret"] else { throw NeverCame(created.text) }
    let session = Driven(workshop: workshop, id: id, secret: secret, created: created)
    let plain = try workshop.send("POST", "/v1/sessions", #"{"app":"lab"}"#, headers: Self.asked)
    #expect(plain["replica", "definition"] == created["definition"] && plain["replica", "revision"] == 1)
    let stream = try session.listen("?replica")
    let reset = try stream.next()?.json
    #expect(stream.head.headers["preference-applied"] == "replica")
    let replica = try session.get("/replica")
    #expect(replica.status == 200 && replica.headers["cache-control"] == "no-store" && replica.headers["cairn-engine"] != nil)
    #expect(replica["engine"] == .integer(WideInt(Reducer.engine)) && replica["format"] == .integer(WideInt(ReplicaFormat.version)))
    #expect(replica["definition"] == created["definition"] && replica["withheld"] == [])
    let shown = try session.get(headers: Self.asked)
    let poll = try session.get("?wait=10s", headers: Self.asked + [("If-None-Match", "\"1-00000000\"")])
    #expect(shown.headers["preference-applied"] == "replica" && replica.json["last"] == nil)
    for value in [created["replica"], shown["replica"], poll["replica"], reset?["replica"]] { #expect(value == replica.json) }
    // The response to a repeated creation has no replica.
    let again = try workshop.send("POST", "/v1/sessions", #"{"app":"lab"}"#, headers: headers)
    #expect(again["id"] == created["id"] && again["replica"] == nil)
  }

  @Test func `the events of a stream have the differences, with the client's number`() throws {
    let session = try Workshop().session("lab")
    let first = try replica(of: session)
    let tag = try #require(try session.get().headers["etag"]).replacing("\"", with: "")
    let client = try session.listen("?replica&last_event_id=\(tag)")
    let (plain, predicting) = (try session.listen(), try session.listen("?predict"))
    _ = try numbered(41, go(2), for: session)
    _ = try session.act(go(3))
    // A client that connects later receives the same entries, which are read from the journal.
    for stream in [client, try session.listen(headers: Self.asked + [("Last-Event-ID", tag)])] {
      let events = try stream.next(2).map(\.json)
      #expect(events.map { $0["sender"]?["action"] } == [41, nil])
      var replica = first
      for event in events { #expect(try !confirm(event, &replica).changes.isEmpty) }
      try expect(replica, toShow: session)
    }
    #expect(try plain.next(3).allSatisfy { $0.json["replica"] == nil && $0.json["predictions"] == nil })
    #expect(try predicting.next(3).allSatisfy { $0.json["replica"] == nil })
  }

  @Test func `the whole replica names the newest number of a client`() throws {
    let session = try Workshop().session("lab")
    #expect(try session.get("/replica?client=\(Self.client)")["last"] == nil)
    _ = try numbered(41, go(2), #"{"type":"dismiss","node":"n99"}"#, go(3), for: session)
    #expect(try session.get("/replica?client=\(Self.client)")["last"] == 43)
    #expect(try session.get("/replica?client=another")["last"] == nil && session.get("/replica")["last"] == nil)
  }

  @Test func `apps that the setting does not list have none, and get predictions if these are asked for too`() throws {
    let session = try Workshop().session("qiita")
    let refused = try session.get("/replica")
    #expect(refused.status == 404 && refused.code == "not-predictable")
    let body = #"{"type":"appState","state":"inactive"}"#
    for reply in [try session.get(headers: Self.asked), try session.act(body, headers: Self.asked)] {
      #expect(reply.status == 200 && reply["replica"] == nil && reply.headers["preference-applied"] == nil)
    }
    for reply in [
      try session.get(headers: [("Prefer", "replica, predict")]), try session.act(body, headers: [("Prefer", "predict, replica")]),
    ] {
      #expect(reply["replica"] == nil && reply["predictions"] != nil && reply.headers["preference-applied"] == "predict")
    }
    let stream = try session.listen("?replica")
    #expect(try stream.next()?.json["replica"] == nil && stream.head.headers["preference-applied"] == nil)
    // A request that lists `replica` gets no predictions.
    let listed = try Workshop().session("lab").get(headers: [("Prefer", "replica, predict")])
    #expect(listed["replica"] != nil && listed["predictions"] == nil)
  }

  @Test func `a migration has no difference, and what follows is of the new definition`() throws {
    let kiosk = try Kiosk(Workshop(predictable: try #require(PredictableApps("*"))))
    let session = kiosk.session
    let stream = try session.listen("?replica")
    #expect(try stream.next()?.json["replica"]?["definition"] == .string(kiosk.old))
    _ = try session.move(to: kiosk.new)
    let events = try stream.next(2)
    #expect(events.map(\.name) == ["migrated", "change"] && events.allSatisfy { $0.json["replica"] == nil })
    var replica = try replica(of: session)
    #expect(try session.get("/replica")["definition"] == .string(kiosk.new))
    _ = try session.act(#"{"step":"conditionsAreRequired","params":{"number":3}}"#)
    _ = try confirm(stream.next()?.json, &replica)
    try expect(replica, toShow: session)
    // The migration is one of the missed events, which are read from the journal.
    let late = try session.listen(
      headers: Self.asked + [("Last-Event-ID", try #require(kiosk.session.created.headers["etag"]).replacing("\"", with: ""))])
    #expect(try late.next(3).map { $0.json["replica"] != nil } == [false, false, true])
  }

  @Test func `a session begins with a definition that the app had`() throws {
    let kiosk = try Kiosk()
    func start(_ more: String) throws -> Reply {
      try kiosk.workshop.send("POST", "/v1/sessions", #"{"app":"kiosk"\#(more)}"#)
    }
    #expect(try start("")["definition"] == .string(kiosk.new))
    for hash in [kiosk.old, kiosk.new] {
      let reply = try start(#","definition":"\#(hash)""#)
      #expect(reply.status == 201 && reply["definition"] == .string(hash), "\(reply.text)")
    }
    let lab = try #require(try kiosk.workshop.send("GET", "/v1/apps/lab")["definition"]?.word)
    for gone in [Kiosk.unknown, lab, "x"] {
      let reply = try start(#","definition":"\#(gone)""#)
      #expect(reply.status == 409 && reply.code == "definition-gone", "\(reply.text)")
    }
    #expect(try start(#","definition":7"#).status == 422)
  }

  @Test func `nothing that is withheld leaves the service`() throws {
    let workshop = try Workshop(
      environment: ["VAULT_KEY": "canary-environment", "VAULT_ID": "canary-client"], predictable: try #require(PredictableApps("*")))
    let put = try workshop.send("PUT", "/v1/apps/vault", Self.vault, as: Workshop.operatorKey, type: "application/yaml")
    #expect(put.status == 200 || put.status == 201, "\(put.text)")
    let session = try workshop.session("vault", #","accessToken":"canary-token""#)
    let stream = try session.listen("?replica")
    let plain = try session.get()
    #expect(plain.text.contains("accessToken") && !plain.text.contains("canary"))
    let enter = #"{"step":"enter","params":{"pin":"canary-pin","name":"seen"}}"#
    var texts = [
      try session.get("/replica").text, try session.get("/definition").text, try session.get(headers: Self.asked).text,
      try session.act(enter, headers: Self.asked + [("Idempotency-Key", "a")]).text, try session.get("/replica").text,
      try session.get(headers: Self.asked).text,
    ]
    texts += try stream.next(2).map(\.data)
    #expect(texts.allSatisfy { !$0.contains("canary") }, "\(texts.first { $0.contains("canary") } ?? "")")
    #expect(texts.filter { $0.contains("difference") }.count == 2 && texts.filter { $0.contains("withheld") }.count == 5)
    #expect(try session.get("/replica")["withheld"] == ["enter.pin", "environment.*", "key", "oauth.state", "plan", "room.pin"])
    #expect(texts.contains { $0.contains("seen") })
  }

  @Test func `a session's client learns that an operator set a hidden fact, and not its value`() throws {
    let workshop = try Workshop(predictable: try #require(PredictableApps("*")))
    _ = try workshop.send("PUT", "/v1/apps/vault", Self.vault, as: Workshop.operatorKey, type: "application/yaml")
    let session = try workshop.session("vault", #","facts":{"plan":"canary-one","seat":"front"}"#, as: Workshop.operatorKey)
    let streams = [try session.listen("?replica"), try session.listen()]
    let facts = #"{"type":"facts","set":{"plan":"canary-two","seat":"back"}}"#
    #expect(try session.act(facts, as: Workshop.operatorKey).status == 200)
    let events = try streams.map { try $0.next(2)[1].data }
    #expect(events.allSatisfy { $0.contains(#""set":{"plan":true,"seat":"back"}"#) }, "\(events)")
    let history = try session.get("/history").text
    #expect(history.contains(#"{"plan":true,"seat":"front"}"#) && history.contains(#"{"plan":true,"seat":"back"}"#))
    let scenario = try session.get("/history?as=scenario").text
    #expect(scenario.contains("seat: front") && scenario.contains("seat: back"))
    let past = try session.get("?revision=2").text
    #expect((events + [history, scenario, past]).allSatisfy { !$0.contains("canary") })
    // Only an operator sees the values.
    let path = "/v1/sessions/\(session.id)/history"
    #expect(try workshop.send("GET", path, as: Workshop.operatorKey).text.contains("canary-two"))
    #expect(try workshop.send("GET", "\(path)?as=scenario", as: Workshop.operatorKey).text.contains("canary-one"))
  }

  /// An app with all values that are withheld from clients.
  private static let vault = """
    app: vault
    language: 1
    compat: { emits: any }
    root: { flow: main, start: begin }
    facts:
      key: { type: string, env: VAULT_KEY }
      plan: { type: string, env: VAULT_PLAN, default: free }
      seat: { type: string, default: none }
    oauth:
      authorizationEndpoint: { env: VAULT_LOGIN, default: "https://login.example", path: /authorize }
      tokenEndpoint: { env: VAULT_LOGIN, default: "https://login.example", path: /token }
      clientId: { env: VAULT_ID }
      clientSecret: { env: VAULT_SECRET }
      redirectUrl: { env: VAULT_BACK, default: "vault://back" }
    screens:
      door: { emits: [enter] }
      room: { params: { pin: { type: string, secret: true }, name: string } }
    steps:
      begin:
      enter: { pin: { type: string, secret: true }, name: string }
    flows:
      main:
        stack: []
        handle:
          begin: { set: [door] }
          enter: { push: room, with: { pin: $pin, name: $name } }
    """
}
