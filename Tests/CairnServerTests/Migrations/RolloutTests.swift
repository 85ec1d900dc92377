import CairnCore
import CairnRuntime
import CairnServer
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Rollouts over HTTP` {
  /// Sessions on the old definition, with which new sessions of the app begin. The new definition and the migration are only stored.
  private struct Stand {
    let workshop: Workshop
    let old, new: String
    let sessions: [Driven]

    /// `more` is added to both definitions.
    init(
      sessions count: Int, migration: String? = Kiosk.migration, clock: any CairnStore.Clock = SystemClock(), definitions more: String = ""
    ) throws {
      let workshop = try Workshop(clock: clock)
      self.workshop = workshop
      old = try workshop.put(definition: Kiosk.first + more)
      sessions = try (1...count).map { try workshop.session("kiosk", #", "label":"person \#($0)""#) }
      let stored = try workshop.send(
        "PUT", "/v1/apps/kiosk?serve=false", Kiosk.second + more, as: Workshop.operatorKey, type: "application/yaml")
      new = try #require(stored["definition"]?.word)
      if let migration { #expect(try workshop.put(migration: migration, from: old, to: new).status == 200) }
    }

    /// Begins a rollout; `more` contains further members of the body, each with a leading comma.
    func begin(_ more: String) throws -> Reply {
      try workshop.send("POST", "/v1/apps/kiosk/rollouts", #"{"to":"\#(new)","rate":10000\#(more)}"#, as: Workshop.operatorKey)
    }

    func change(_ operation: String) throws -> Reply {
      try workshop.send("POST", "/v1/apps/kiosk/rollouts/\(operation)", as: Workshop.operatorKey)
    }

    func show() throws -> Reply { try workshop.send("GET", "/v1/apps/kiosk/rollouts", as: Workshop.operatorKey) }

    /// Waits until the rollout has this state, and returns it.
    func rollout(when state: String) throws -> Reply {
      var last = try show()
      try wait(for: "the state \(state)") {
        last = try show()
        return last["state"]?.word == state
      }
      return last
    }

    /// The definitions of all sessions, as `old` or `new`.
    func definitions() throws -> [String] {
      try sessions.map { try $0.get()["definition"] == .string(new) ? "new" : "old" }
    }

    var served: String? { get throws { try workshop.send("GET", "/v1/apps/kiosk")["definition"]?.word } }
  }

  @Test func `a dry run counts who would move by which line and who would stay, and moves nothing`() throws {
    let stand = try Stand(sessions: 3)
    try stand.sessions[0].readTerms(1)
    // A full-screen ad has no home below it.
    _ = try stand.sessions[1].act(#"{"step":"adFillsScreen"}"#)
    let begun = try stand.begin(#","when":"now","dryRun":true"#)
    #expect(begun.status == 201 && begun["dryRun"] == true)
    let over = try stand.rollout(when: "done")
    #expect(over["moved"] == 2 && over["unchanged"] == 0 && over["waiting"] == 0)
    guard case .array(let lines)? = over["lines"], case .array(let stays)? = over["stays"] else { throw NeverCame() }
    #expect(lines.map { $0["what"]?.word } == ["facts.visits", "screens.terms"])
    #expect(lines.map { $0["count"] } == [2, 1])
    #expect(stays.map { $0["example"]?.word } == [stand.sessions[1].id])
    #expect(stays.map { $0["what"]?.word } == ["ads cannot be popped to home, because no home is below it"])
    #expect(try stand.definitions() == ["old", "old", "old"])
    #expect(try stand.served == stand.old)
  }

  @Test func `a rollout moves all sessions that can move, and the app is served with the new definition`() throws {
    let stand = try Stand(sessions: 40)
    _ = try stand.sessions[7].act(#"{"step":"adFillsScreen"}"#)
    #expect(try stand.begin(#","when":"now""#).status == 201)
    #expect(try stand.served == stand.new)
    let over = try stand.rollout(when: "done")
    #expect(over["moved"] == 39 && over["share"] == "100%" && over["by"] == "operator")
    #expect(try stand.definitions().filter { $0 == "old" }.count == 1)
    #expect(try stand.sessions[7].get()["definition"] == .string(stand.old))
    #expect(try stand.sessions[0].get("/history?after=1").text.contains(#""type":"migrated""#))
  }

  @Test(.oneNode("another node knows of a rollout a second later"))
  func `a share is chosen by the label, for new and running sessions alike`() throws {
    let stand = try Stand(sessions: 40)
    #expect(try stand.begin(#","when":"now","share":"25%""#).status == 201)
    let over = try stand.rollout(when: "done")
    let running = try stand.definitions()
    let moved = running.filter { $0 == "new" }.count
    #expect(over["moved"] == .integer(moved) && (4...18).contains(moved))
    #expect(try stand.served == stand.old)
    let again = try (1...40).map { try stand.workshop.session("kiosk", #", "label":"person \#($0)""#).created["definition"]?.word }
    #expect(again == running.map { $0 == "new" ? stand.new : stand.old })
    #expect(try stand.change("stop")["state"] == "stopped")
    #expect(
      try stand.workshop.session("kiosk", #", "label":"person \#(1 + (running.firstIndex(of: "new") ?? 0))""#).created["definition"]
        == .string(stand.old))
  }

  @Test func `a session moves when its moment has come`() throws {
    let stand = try Stand(sessions: 2)
    try stand.sessions[0].readTerms(1)
    #expect(try stand.begin(#","when":{"visible":"home"}"#).status == 201)
    try wait(for: "the other session") { try stand.sessions[1].get()["definition"] == .string(stand.new) }
    try wait(for: "the round") { try stand.show()["waiting"] == 1 }
    #expect(try stand.sessions[0].get()["definition"] == .string(stand.old))
    _ = try stand.sessions[0].act(#"{"type":"pop"}"#)
    #expect(try stand.rollout(when: "done")["moved"] == 2)
    #expect(try stand.sessions[0].get()["definition"] == .string(stand.new))
  }

  @Test func `a revert takes back the sessions without an entry since, and the app is served with the old definition`() throws {
    let stand = try Stand(sessions: 3)
    try stand.sessions[0].readTerms(1)
    let before = try stand.sessions[0].get()
    #expect(try stand.begin(#","when":"now""#).status == 201)
    _ = try stand.rollout(when: "done")
    _ = try stand.sessions[2].act(#"{"step":"conditionsAreRequired","params":{"number":1}}"#)
    #expect(try stand.change("revert")["state"] == "reverting")
    let over = try stand.rollout(when: "reverted")
    #expect(over["reverted"] == 2)
    guard case .array(let stays)? = over["stays"] else { throw NeverCame() }
    #expect(stays.map { $0["example"]?.word } == [stand.sessions[2].id])
    #expect(try stand.definitions() == ["old", "old", "new"])
    let after = try stand.sessions[0].get()
    #expect(after["tree"] == before["tree"] && after["facts"] == before["facts"])
    #expect(try stand.served == stand.old)
  }

  @Test func `a dry run is in the way of no rollout, also while it runs`() throws {
    let stand = try Stand(sessions: 1)
    // The session does not show its home, so the rollout stays active.
    try stand.sessions[0].readTerms(1)
    for _ in 0..<20 { #expect(try stand.begin(#","when":"now","dryRun":true"#).status == 201) }
    #expect(try stand.begin(#","when":{"visible":"home"}"#).status == 201)
    #expect(try stand.begin(#","when":"now","dryRun":true"#)["code"]?.word == "rollout-active")
  }

  @Test func `one rollout at a time, and only what its state allows`() throws {
    let stand = try Stand(sessions: 1)
    try stand.sessions[0].readTerms(1)
    func code(_ reply: Reply) -> String { "\(reply.status) \(reply["code"]?.word ?? reply["state"]?.word ?? "")" }
    #expect(code(try stand.show()) == "404 not-found")
    #expect(code(try stand.change("pause")) == "404 not-found")
    #expect(code(try stand.begin(#","when":{"visible":"home"}"#)) == "201 running")
    #expect(code(try stand.begin(#","when":"now""#)) == "409 rollout-active")
    #expect(code(try stand.change("resume")) == "409 rollout-active")
    #expect(code(try stand.change("pause")) == "200 paused")
    #expect(code(try stand.begin("")) == "409 rollout-active")
    #expect(code(try stand.change("resume")) == "200 running")
    #expect(code(try stand.change("stop")) == "200 stopped")
    #expect(code(try stand.change("stop")) == "409 rollout-active")
    #expect(code(try stand.change("melt")) == "404 not-found")
    #expect(try stand.definitions() == ["old"])
  }

  @Test(arguments: [
    (#"{"to":"abc"}"#, 422, "#/to"), (#"{}"#, 422, "#/to"), (#"{"to":"HASH","share":"101%"}"#, 422, "#/share"),
    (#"{"to":"HASH","share":"5"}"#, 422, "#/share"), (#"{"to":"HASH","when":"later"}"#, 422, "#/when"),
    (#"{"to":"HASH","when":{"visible":"nowhere"}}"#, 422, "#/when/visible"),
    (#"{"to":"HASH","when":{"visible":"conditions"}}"#, 422, "#/when/visible"), (#"{"to":"HASH","when":{"idle":"soon"}}"#, 422, "#/when"),
    (#"{"to":"HASH","when":"foreground"}"#, 422, "#/when"), (#"{"to":"HASH","rate":0}"#, 422, "#/rate"),
    (#"{"to":"HASH","dryrun":true}"#, 422, "#/dryrun"),
  ])
  func `a wrong body is rejected with the place of its mistake`(body: String, status: Int, pointer: String) throws {
    let stand = try Stand(sessions: 1, migration: nil)
    let reply = try stand.workshop.send(
      "POST", "/v1/apps/kiosk/rollouts", body.replacing("HASH", with: stand.new), as: Workshop.operatorKey)
    #expect(reply.status == status)
    guard case .array(let errors)? = reply["errors"] else { throw NeverCame() }
    #expect(errors.map { $0["pointer"]?.word } == [pointer])
    #expect(try stand.show().status == 404)
  }

  @Test(.oneNode("another node knows of a rollout a second later"))
  func `a dry run leaves the share of the rollout before it as it is, and afterwards that can be stopped`() throws {
    let stand = try Stand(sessions: 20)
    #expect(try stand.begin(#","when":"now","share":"50%""#).status == 201)
    _ = try stand.rollout(when: "done")
    let person = 1 + (try #require(try stand.definitions().firstIndex(of: "new")))
    func begins() throws -> String {
      let session = try stand.workshop.session("kiosk", #", "label":"person \#(person)""#)
      return session.created["definition"] == .string(stand.new) ? "new" : "old"
    }
    #expect(try stand.begin(#","dryRun":true"#).status == 201)
    let over = try stand.rollout(when: "done")
    #expect(over["dryRun"] == true && over["earlier", "share"] == "50%" && over["earlier", "state"] == "done")
    #expect(try begins() == "new")
    #expect(try stand.begin(#","dryRun":true"#).status == 201)
    _ = try stand.rollout(when: "done")
    let stopped = try stand.change("stop")
    #expect(stopped["state"] == "stopped" && stopped["dryRun"] == false && stopped["share"] == "50%")
    #expect(try begins() == "old")
    #expect(try stand.begin(#","dryRun":true"#).status == 201)
    _ = try stand.rollout(when: "done")
    #expect(try stand.change("revert")["state"] == "reverting")
    _ = try stand.rollout(when: "reverted")
    #expect(try stand.definitions().allSatisfy { $0 == "old" })
  }

  @Test func `a rollout can be paused and resumed while it moves sessions, and its counts stay right`() throws {
    let stand = try Stand(sessions: 200)
    #expect(try stand.begin(#","when":"now""#).status == 201)
    while true {
      let paused = try stand.change("pause")
      guard paused.status == 200 else {
        #expect(paused.code == "rollout-active" && paused["detail"]?.word?.contains("is done") == true)
        break
      }
      #expect(try stand.change("resume").status == 200)
    }
    #expect(try stand.rollout(when: "done")["moved"] == 200)
    #expect(try stand.definitions().allSatisfy { $0 == "new" })
  }

  /// Sends a request for each target at the same time.
  private func atOnce(_ targets: [String], _ send: @escaping @Sendable (String) throws -> Reply) throws -> [Reply] {
    let replies = Lock([Reply?](repeating: nil, count: targets.count))
    let threads = try targets.enumerated().map { index, target in
      try NamedThread("begin") {
        let reply = try? send(target)
        replies.withLock { $0[index] = reply }
      }
    }
    for thread in threads { thread.join() }
    return try replies.withLock { $0 }.map { try #require($0) }
  }

  @Test func `of two rollouts that begin at once one exists, and the app is served with its definition`() throws {
    for _ in 0..<8 {
      let stand = try Stand(sessions: 1)
      let stored = try stand.workshop.send(
        "PUT", "/v1/apps/kiosk?serve=false", Kiosk.third, as: Workshop.operatorKey, type: "application/yaml")
      let targets = [stand.new, try #require(stored["definition"]?.word)]
      let replies = try atOnce(targets) { [workshop = stand.workshop] to in
        try workshop.send("POST", "/v1/apps/kiosk/rollouts", #"{"to":"\#(to)"}"#, as: Workshop.operatorKey)
      }
      #expect(replies.map(\.status).sorted() == [201, 409])
      let begun = replies.firstIndex { $0.status == 201 }.map { targets[$0] }
      #expect(try stand.show()["to"]?.word == begun)
      // Another node serves the app with this definition a little later.
      try wait(for: "the definition") { try stand.served == begun }
    }
  }

  @Test func `after a start and a revert at once the app is served with the old definition, whichever came first`() throws {
    for _ in 0..<12 {
      let stand = try Stand(sessions: 1)
      let replies = try atOnce(["", "/revert"]) { [workshop = stand.workshop, new = stand.new] path in
        let body = path.isEmpty ? #"{"to":"\#(new)"}"# : "{}"
        while true {
          let reply = try workshop.send("POST", "/v1/apps/kiosk/rollouts\(path)", body, as: Workshop.operatorKey)
          // The revert is sent again until a rollout exists.
          if reply.status != 404 { return reply }
        }
      }
      #expect(replies.map(\.status) == [201, 200])
      _ = try stand.rollout(when: "reverted")
      try wait(for: "the definition") { try stand.served == stand.old }
    }
  }

  @Test func `a rollout shows how far it is, how fast, and which node moves the sessions`() throws {
    let stand = try Stand(sessions: 40)
    #expect(try stand.begin(#","when":"now""#)["progress"] == nil)
    let over = try stand.rollout(when: "done")
    #expect(over["progress", "total"] == 40 && over["progress", "left"] == 0 && over["progress", "expectedEnd"] == nil)
    #expect(over["progress", "node"]?.word == NodeName.current && over["progress", "time"] != nil)
    #expect(try stand.change("revert").status == 200)
    let back = try stand.rollout(when: "reverted")
    #expect(back["progress", "total"] == 40 && back["reverted"] == 40)
  }

  @Test func `a rollout moves idle sessions, although their timers fire`() throws {
    let clock = ManualClock()
    let stand = try Stand(sessions: 2, clock: clock)
    #expect(try stand.begin(#","when":{"idle":"10m"}"#).status == 201)
    clock.advance(by: 599_000)
    _ = try stand.sessions[1].act(#"{"step":"sleep"}"#)
    clock.advance(by: 1_000)
    try wait(for: "the idle session") { try stand.sessions[0].get()["definition"] == .string(stand.new) }
    try wait(for: "the round") { try stand.show()["waiting"] == 1 }
    #expect(try stand.sessions[1].get()["definition"] == .string(stand.old))
    // The session's timer ticks during this time.
    clock.advance(by: 598_999)
    try wait(for: "the timer") { try stand.sessions[1].get().pages == ["home", "terms 100"] }
    #expect(try stand.show()["state"] == "running")
    clock.advance(by: 1)
    #expect(try stand.rollout(when: "done")["moved"] == 2)
  }

  @Test func `a session moves when its client reports the foreground`() throws {
    let stand = try Stand(sessions: 2, definitions: "\nrules: [{ when: { fact: appState, is: background }, send: sleep }]")
    _ = try stand.sessions[0].act(#"{"type":"appState","state":"background"}"#)
    #expect(try stand.begin(#","when":"foreground""#).status == 201)
    try wait(for: "the round") { try stand.show()["waiting"] == 1 }
    #expect(try stand.definitions() == ["old", "new"])
    _ = try stand.sessions[0].act(#"{"type":"appState","state":"foreground"}"#)
    #expect(try stand.rollout(when: "done")["moved"] == 2)
  }

  @Test func `a definition that is put during a rollout does not end it`() throws {
    let stand = try Stand(sessions: 2)
    try stand.sessions[0].readTerms(1)
    #expect(try stand.begin(#","when":{"visible":"home"}"#).status == 201)
    try wait(for: "the other session") { try stand.sessions[1].get()["definition"] == .string(stand.new) }
    let third = try stand.workshop.put(definition: Kiosk.third)
    let latest = try stand.workshop.session("kiosk")
    #expect(latest.created["definition"] == .string(third))
    try wait(for: "the round") { try stand.show().text.contains("no migration leads from its definition") }
    _ = try stand.sessions[0].act(#"{"type":"pop"}"#)
    let over = try stand.rollout(when: "done")
    #expect(over["moved"] == 2)
    #expect(try latest.get()["definition"] == .string(third))
    #expect(try stand.served == third)
  }

  @Test func `only operators see and change rollouts`() throws {
    let stand = try Stand(sessions: 1)
    for (method, path) in [("GET", ""), ("POST", ""), ("POST", "/pause"), ("POST", "/revert")] {
      let path = "/v1/apps/kiosk/rollouts\(path)"
      #expect(try stand.workshop.send(method, path, as: nil).status == 401)
      #expect(try stand.workshop.send(method, path, as: stand.sessions[0].secret).status == 403)
    }
  }

  @Test(.oneNode("another node knows a second later what was reached")) func `the metrics show what a rollout has reached`() throws {
    let stand = try Stand(sessions: 2)
    #expect(try stand.begin(#","when":"now""#).status == 201)
    _ = try stand.rollout(when: "done")
    let text = try stand.workshop.send("GET", "/metrics").text
    #expect(text.contains(#"cairn_rollout_active{app="kiosk"} 0"#))
    #expect(text.contains(#"cairn_rollout_sessions{app="kiosk",result="moved"} 2"#))
  }
}
