import CairnAPI
import CairnCore
import CairnHTTP
import CairnRuntime
import CairnServer
import CairnTesting
import Testing

/// Predictions: the effects of actions, without performing them.
@Suite(.tags(.timing), .ownThreads) struct `Predictions over HTTP` {
  private static let predict = [("Prefer", "predict")]

  private func predictions(_ value: Value?) throws -> [Value] {
    guard case .array(let all)? = value?["predictions"] else { throw NeverCame("predictions in \(value.map { "\($0)" } ?? "nothing")") }
    return all
  }

  private func text(_ value: Value) throws -> String { String(decoding: try JSONText.bytes(value), as: UTF8.self) }

  /// Expects predictions for the session's current state: each accepted gesture, and each accepted step without params, with the result of the plan of that
  /// action.
  private func expect(_ value: Value?, toPredict session: Driven, _ source: SourceLocation = #_sourceLocation) throws {
    let all = try predictions(value)
    guard case .array(let steps)? = try session.get()["accepts", "steps"] else { throw NeverCame("the accepted steps") }
    var missing = Set(steps.compactMap { step -> Value? in step["params"] == [:] ? step["step"] : nil })
    for prediction in all {
      let action = try #require(prediction["action"], sourceLocation: source)
      let plan = try session.post("actions?plan", text(action), headers: [("Prefer", "return=minimal")])
      for name in ["changes", "outcome", "reason"] {
        #expect(prediction[name] == plan[name], "\(name) of \(action)", sourceLocation: source)
      }
      if let step = action["step"] { #expect(missing.remove(step) != nil, "\(action) is predicted once", sourceLocation: source) }
    }
    for step in missing {
      let plan = try session.post("actions?plan", text(["step": step]))
      let isExcused = plan.text.contains("/authorize?") || plan.status >= 400
      #expect(isExcused, "\(step) would run, but is not predicted", sourceLocation: source)
    }
    #expect(all.count <= 32, sourceLocation: source)
  }

  @Test(arguments: ["lab", "qiita", "shop"]) func `a session's predictions are the plans of what it accepts`(app: String) throws {
    let session = try Workshop().session(app)
    let bodies = [#"{"step":"go","params":{"n":5}}"#, #"{"type":"select","tab":1}"#, #"{"step":"tick"}"#, #"{"type":"logout"}"#]
    for body in bodies {
      _ = try session.act(body)
      let reply = try session.get(headers: Self.predict)
      #expect(reply.headers["preference-applied"] == "predict")
      try expect(reply.json, toPredict: session)
    }
    #expect(try session.get()["predictions"] == nil && session.get().headers["preference-applied"] == nil)
  }

  @Test func `a step that opens an authorization page is not predicted, because the page's address has a new state each time`() throws {
    let session = try Workshop().session("qiita")
    let reply = try session.get(headers: Self.predict)
    #expect(try session.post("actions?plan", #"{"step":"login.webView"}"#).text.contains("/oauth/authorize?"))
    #expect(reply["accepts", "steps"] != nil && reply.text.contains("login.webView") && !reply.text.contains("/oauth/authorize?"))
    #expect(try predictions(reply.json).allSatisfy { $0["action"]?["step"] != "login.webView" })
  }

  @Test func `the gestures of a state are predicted`() throws {
    let session = try Workshop().session("lab")
    _ = try session.act(#"{"step":"go","params":{"n":5}}"#)
    let all = try predictions(try session.get(headers: Self.predict).json)
    #expect(
      all.map { $0["action"] } == [
        ["type": "pop"], ["type": "popTo", "screen": "first"], ["type": "popToRoot"], ["type": "back"], ["step": "tick"],
      ])
    let popped: Value = [["op": "pop", "in": "n1", "to": "n2"]]
    #expect(all.prefix(4).allSatisfy { $0["changes"] == popped && $0["outcome"] == "performed" }, "\(all)")
    #expect(all.last?["changes"] == [] && all.last?["outcome"] == "performed")
  }

  @Test func `the response to every post predicts from the state after it`() throws {
    let session = try Workshop().session("lab", #","clock":"manual""#)
    let posts = [
      ("actions", #"{"step":"go","params":{"n":5}}"#), ("actions", #"[{"step":"go","params":{"n":1}},{"type":"pop"}]"#),
      ("actions", #"{"type":"advance","by":"1s"}"#), ("open", #"{"url":"lab://go/3"}"#),
      ("actions", #"{"client":"client-of-twenty-two-x","first":1,"actions":[{"type":"pop"}]}"#),
    ]
    for (index, (path, body)) in posts.enumerated() {
      for minimal in ["", "return=minimal, "] {
        let reply = try session.post(path, body, headers: [("Prefer", minimal + #"include="accepts", predict"#)])
        #expect(reply.status == 200 && reply.headers["preference-applied"] == minimal + #"include="accepts", predict"#)
        #expect(try reply["accepts"] == session.get()["accepts"], "\(index)")
        try expect(reply.json, toPredict: session)
      }
    }
    let plan = try session.post("actions?plan", #"{"type":"pop"}"#, headers: Self.predict)
    _ = try session.act(#"{"type":"pop"}"#)
    try expect(plan.json, toPredict: session)
  }

  @Test(arguments: [nil, "a-key-that-cannot-be-guessed-by-others"])
  func `a session that starts has predictions, but not in its kept response`(
    key: String?
  ) throws {
    let workshop = try Workshop()
    let headers = Self.predict + (key.map { [("Idempotency-Key", $0)] } ?? [])
    func start() throws -> Reply { try workshop.send("POST", "/v1/sessions", #"{"app":"lab"}"#, headers: headers) }
    let first = try start()
    guard case .string(let id)? = first["id"], case .string(let secret)? = first["secret"] else { throw NeverCame(first.text) }
    try expect(first.json, toPredict: Driven(workshop: workshop, id: id, secret: secret, created: first))
    #expect(first.status == 201 && first.headers["preference-applied"] == "predict")
    let again = try start()
    #expect((again["id"] == first["id"]) == (key != nil) && (again["predictions"] == nil) == (key != nil))
    #expect((again["secret"] == first["secret"]) == (key != nil))
  }

  @Test func `a kept response is kept without predictions`() throws {
    let session = try Workshop().session("lab")
    let key = ("Idempotency-Key", "one")
    let body = #"{"step":"go","params":{"n":5}}"#
    let first = try session.act(body, headers: [key, ("Prefer", "return=minimal, predict")])
    try expect(first.json, toPredict: session)
    #expect(first.headers["preference-applied"] == "return=minimal, predict" && first.headers["idempotency-replayed"] == nil)
    let again = try session.act(body, headers: [key, ("Prefer", "return=minimal, predict")])
    #expect(again["predictions"] == nil && again.headers["preference-applied"] == "return=minimal")
    #expect(again.headers["idempotency-replayed"] == "true" && again.headers["idempotency-expires"] == first.headers["idempotency-expires"])
    for name in ["changes", "events", "outcome", "revision", "visible"] { #expect(again[name] == first[name]) }
    let refused = try session.act(#"{"step":"nope"}"#, headers: [("Idempotency-Key", "two"), ("Prefer", "predict")])
    #expect(refused.status == 422 && refused["predictions"] == nil && refused.headers["preference-applied"] == nil)
  }

  @Test func `streams predict from their newest entry, and others are unchanged`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let plain = try session.listen()
    let clients = [try session.listen("?predict"), try session.listen(headers: Self.predict), try session.listen("?predict=true")]
    for client in clients {
      #expect(client.head.headers["preference-applied"] == "predict")
      try expect(try client.next()?.json, toPredict: session)
    }
    #expect(try plain.next()?.json["predictions"] == nil && plain.head.headers["preference-applied"] == nil)
    for body in [#"{"step":"go","params":{"n":5}}"#, #"{"type":"pop"}"#] {
      _ = try session.act(body)
      let entry = try plain.next()
      var last: EventClient.Event?
      for client in clients {
        let event = try client.next()
        try expect(event?.json, toPredict: session)
        if let last { #expect(event == last, "one rendering for all of them") }
        last = event
      }
      guard case .object(var members)? = last?.json else { throw NeverCame("an event") }
      members["predictions"] = nil
      #expect(entry?.json == .object(members) && entry?.id == last?.id)
    }
  }

  @Test(arguments: [true, false]) func `of several missed entries, only the newest has predictions`(inMemory: Bool) throws {
    let workshop = try Workshop(cache: inMemory ? 300 << 20 : 1)
    let session = try workshop.session("lab")
    _ = try session.act(#"[{"step":"go","params":{"n":5}},{"type":"pop"},{"step":"go","params":{"n":6}}]"#)
    let client = try session.listen("?predict", headers: [("Last-Event-ID", "1")])
    let missed = try client.next(3)
    #expect(missed.map { $0.json["predictions"] == nil } == [true, true, false])
    try expect(missed.last?.json, toPredict: session)
  }

  @Test func `a long poll predicts from the change that ends it`() throws {
    let workshop = try Workshop(clock: ManualClock())
    let session = try workshop.session("lab")
    let answer = Awaited<Reply>()
    _ = try NamedThread("poll") {
      let headers = [("If-None-Match", "\"\(session.created.tag)\""), ("Prefer", "wait=30, predict")]
      if let reply = try? session.get(headers: headers) { answer.give(reply) }
    }
    try wait(for: "a request that waits") { try workshop.total("cairn_waiting") > 0 }
    _ = try session.act(#"{"step":"go","params":{"n":5}}"#)
    let reply = try answer.value()
    #expect(reply.status == 200 && reply.headers["preference-applied"] == "wait=30, predict")
    try expect(reply.json, toPredict: session)
  }

  @Test func `each posted action is predicted from the present state, and nothing changes`() throws {
    let session = try Workshop().session("lab", #","clock":"manual""#)
    _ = try session.act(#"{"step":"go","params":{"n":5}}"#)
    let before = try session.get()
    let actions = [
      #"{"step":"go","params":{"n":6}}"#, #"{"step":"go","params":{"n":7}}"#, #"{"type":"pop"}"#, #"{"type":"advance","by":"10s"}"#,
      #"{"type":"token","accessToken":"the-token"}"#, #"{"type":"dismiss"}"#, #"{"step":"nope"}"#, #"{"type":"popToRoot"}"#,
    ]
    let reply = try session.post("predictions", #"{"actions":[\#(actions.joined(separator: ","))]}"#)
    #expect(reply.status == 200 && reply["revision"] == 2 && reply.headers["etag"] == before.headers["etag"], "\(reply.text)")
    let all = try predictions(reply.json)
    for (index, (prediction, body)) in zip(all, actions).enumerated() {
      let plan = try session.post("actions?plan", body)
      for name in ["changes", "outcome", "reason"] where plan.status < 300 {
        #expect(prediction[name] == plan[name], "\(name) of \(body): \(prediction)")
      }
      #expect(prediction["error"]?["code"] == plan["code"] && prediction["error"]?["index"] == (plan.status < 300 ? nil : .integer(index)))
    }
    #expect(all.map { $0["error"]?["code"] } == [nil, nil, nil, nil, nil, nil, "invalid", nil], "\(reply.text)")
    guard case .array(let faults)? = all[6]["error"]?["errors"] else { throw NeverCame("the faults of a wrong step") }
    #expect(faults.first?["pointer"] == "#/actions/6/step")
    #expect(all[0]["action"] == ["step": "go", "params": ["n": 6]] && all[3]["action"] == ["type": "advance", "by": "10000ms"])
    #expect(
      all[4]["action"] == ["type": "token", "accessToken": true] && all[5]["outcome"] == "unchanged" && !reply.text.contains("the-token"))
    #expect(try session.get().text == before.text)
    let late = try session.post("predictions", #"{"actions":[{"type":"pop"}]}"#, headers: [("If-Match", "\"1\"")])
    #expect(late.status == 412 && late.code == "revision-mismatch")
  }

  @Test(arguments: [
    ("[]", "wrong-shape", "must be an object"), ("{}", "invalid", "#/actions"), (#"{"actions":[]}"#, "invalid", "#/actions"),
    (#"{"actions":{}}"#, "invalid", "#/actions"), (#"{"actions":[{"type":"bak"}]}"#, "invalid", "#/actions/0/type"),
    (#"{"actions":[{"type":"back"}],"first":1}"#, "invalid", "#/first"),
    (#"{"actions":[\#(Array(repeating: #"{"type":"back"}"#, count: 33).joined(separator: ","))]}"#, "invalid", "1 to 32"),
  ])
  func `a wrong body predicts nothing`(body: String, code: String, said: String) throws {
    let reply = try Workshop().session("lab").post("predictions", body)
    #expect((400..<500).contains(reply.status) && reply.code == code && reply.text.contains(said), "\(reply.text)")
  }

  @Test func `a client cannot predict what only an operator may post`() throws {
    let session = try Workshop().session("lab")
    let body = #"{"actions":[{"type":"facts","set":{"count":3}},{"step":"go","params":{"n":2}}]}"#
    let mixed = try predictions(try session.post("predictions", body).json)
    let plan = try session.post("actions?plan", #"{"type":"facts","set":{"count":3}}"#)
    #expect(mixed[0]["error"]?["code"] == plan.code.map { .string($0) } && plan.status == 403, "\(mixed)")
    #expect(mixed[0]["error"]?["index"] == 0)
    #expect(mixed[1]["outcome"] == "performed", "one action's refusal is not the other's")
    #expect(try predictions(try session.post("predictions", body, as: Workshop.operatorKey).json)[0]["outcome"] == "performed")
  }
}
