import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Actions over HTTP` {
  @Test func `a misspelled step is rejected with the closest name`() throws {
    let refused = try Workshop().session("lab").act(#"{"step":"tik"}"#)
    #expect(refused.status == 422 && refused.text.contains("must be one of go, tick; did you mean tick?"), "\(refused.text)")
  }

  @Test func `the response to an action contains its changes, its events and the new view`() throws {
    let session = try Workshop().session("lab")
    let reply = try session.act(#"{"step":"go","params":{"n":5}}"#)
    #expect(reply.status == 200 && reply.taggedRevision == 2)
    #expect(reply["outcome"] == "performed" && reply["revision"] == 2 && reply["reason"] == nil)
    guard case .array(let changes)? = reply["changes"], case .array(let events)? = reply["events"] else {
      throw Workshop.NoSession(reply: reply)
    }
    #expect(changes.map { $0["op"] } == ["push"] && events.map { $0["type"] } == ["willNavigate", "didNavigate"])
    #expect(reply.routes == ["first", "second"] && reply["visible", "params"] == ["n": 5])
    #expect(reply["tree"] == (try session.get()["tree"]))
    #expect(reply["stack"] == (try session.get("/stack").json))
  }

  @Test func `a step by operator is refused from a client in every kind of post, and goes to the root flow from an operator`() throws {
    let workshop = try Workshop()
    let text = """
      app: campaign
      language: 1
      root: { flow: main }
      screens: { home: , ad: { params: { id: integer } } }
      steps: { begin: { by: operator, id: integer } }
      flows: { main: { stack: home, handle: { begin: { push: ad, with: { id: $id } } } } }
      """
    #expect(try workshop.send("PUT", "/v1/apps/campaign", text, as: Workshop.operatorKey, type: "application/yaml").status == 201)
    let session = try workshop.session("campaign")
    let begin = #"{"step":"begin","params":{"id":3}}"#
    for (path, body) in [("actions", begin), ("actions", "[\(begin)]"), ("actions?plan", begin)] {
      let refused = try session.post(path, body)
      #expect(refused.status == 403 && refused.code == "operator-only", "\(path) \(body): \(refused.text)")
    }
    for (path, body) in [
      ("actions", #"{"client":"client-of-twenty-two-x","first":1,"actions":[\#(begin)]}"#), ("predictions", #"{"actions":[\#(begin)]}"#),
    ] {
      let refused = try session.post(path, body)
      #expect(refused.status == 200 && refused.text.contains("operator-only"), "\(path): \(refused.text)")
    }
    #expect(try session.get().routes == ["home"])
    #expect(try session.get()["accepts", "steps"] == [])
    #expect(try session.act(begin, as: Workshop.operatorKey).routes == ["home", "ad"])
  }

  @Test func `an action without effect adds no revision`() throws {
    let session = try Workshop().session("lab")
    let reply = try session.act(#"{"type":"pop"}"#)
    #expect(
      reply.status == 200 && reply["outcome"] == "unchanged" && reply["reason"] != nil && reply["changes"] == [] && reply.revision == 1)
  }

  @Test func `the preference return minimal shortens the response`() throws {
    let session = try Workshop().session("lab")
    for prefer in ["return=minimal", "respond-async, Return=\"minimal\"; x=1"] {
      let reply = try session.act(#"{"type":"pop"}"#, headers: [("Prefer", prefer)])
      #expect(reply["tree"] == nil && reply["stack"] == nil && reply["visible", "screen"] == "first")
      #expect(reply.headers["preference-applied"] == "return=minimal")
    }
    let full = try session.act(#"{"type":"pop"}"#, headers: [("Prefer", "return=representation")])
    #expect(full["tree"] != nil && full.headers["preference-applied"] == nil)
  }

  @Test func `an array is applied completely or not at all`() throws {
    let session = try Workshop().session("lab")
    let good = try session.act(#"[{"step":"go","params":{"n":1}},{"type":"pop"},{"type":"pop"}]"#)
    guard case .array(let answers)? = good["answers"] else { throw Workshop.NoSession(reply: good) }
    #expect(answers.map { $0["outcome"] } == ["performed", "performed", "unchanged"])
    #expect(answers.map { $0["revision"] } == [2, 3, 3] && good.revision == 3)
    #expect(answers.allSatisfy { $0["tree"] == nil } && good["tree"] != nil && good.routes == ["first"])
    let bad = try session.act(#"[{"step":"go","params":{"n":1}},{"type":"select","tab":1}]"#)
    #expect(bad.status == 409 && bad["index"] == 1 && bad.code == "no-tabs" && bad.revision == 3)
    let operators = try session.act(#"[{"type":"pop"},{"type":"facts","set":{}}]"#)
    #expect(operators.status == 403 && operators["index"] == 1)
    #expect(try session.get().revision == 3)
  }

  @Test func `a rejection lists the actions that are accepted`() throws {
    let session = try Workshop().session("shop", #","accessToken":"t""#)
    let reply = try session.act(#"{"step":"signUpIsRequired"}"#)
    #expect(reply.status == 409 && reply.code == "not-in-contract" && reply.revision == 1)
    #expect(reply["accepts"] == (try session.get()["accepts"]))
  }

  @Test func `a manual clock advances on request`() throws {
    let session = try Workshop().session("lab", #","clock":"manual""#)
    guard case .string(let begin)? = session.created["now"] else { throw Workshop.NoSession(reply: session.created) }
    _ = try session.act(#"{"step":"tick"}"#)
    guard case .array(let pending)? = try session.get()["pending"] else { throw Workshop.NoSession(reply: session.created) }
    #expect(pending.map { $0["kind"] } == ["timer"] && pending.first?["name"] == "clock" && pending.first?["step"] == "late")
    #expect(try session.act(#"{"type":"advance","by":"9s"}"#).routes == ["first"])
    #expect(try session.act(#"{"type":"advance","by":"1s"}"#).routes == ["first", "second"])
    let end = try session.get()
    #expect(end["pending"] == [] && end["now"] != .string(begin) && end["clock"] == "manual")
  }

  @Test func `a manual clock may start at a given time`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab", #","clock":"2026-03-01T13:00:00+01:00""#)
    #expect(session.created["now"] == "2026-03-01T12:00:00.000Z" && session.created["clock"] == "manual")
    #expect(session.created["createdAt"] != "2026-03-01T12:00:00.000Z")
    #expect(try session.act(#"{"type":"advance","by":"9s"}"#).status == 200)
    #expect(try session.get()["now"] == "2026-03-01T12:00:09.000Z")
    let refused = try workshop.send("POST", "/v1/sessions", #"{"app":"lab","clock":"2026-02-30T12:00:00Z"}"#)
    #expect(refused.status == 422)
  }

  @Test func `the status of a held link is 202`() throws {
    let session = try Workshop().session("qiita")
    let reply = try session.post("open", #"{"url":"https://qiita.com/items/1"}"#)
    #expect(reply.status == 202 && reply["outcome"] == "pending")
    let logged = try session.act(#"{"type":"token","accessToken":"the-token"}"#)
    #expect(logged.routes == ["searchTop", "safari"] && !logged.text.contains("the-token"))
  }

  @Test(.oneNode("each node counts its own requests")) func `a notification may be opened by a tap or only received`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("shop")
    let promo = #"{"aps":{"category":"promo"},"url":"shop://products/5"}"#
    let received = try session.post("notifications?tap=false", promo)
    #expect(received.status == 200 && received["outcome"] == "unchanged" && received["reason"] == "suppressed")
    let tapped = try session.post("notifications?state=foreground", promo)
    #expect(tapped.status == 409 && tapped.code == "suppressed")
    #expect(try workshop.send("GET", "/metrics").text.contains("cairn_notifications_suppressed_total 2\n"))
    #expect(try session.get().revision == 1)
    let fcm = try workshop.session("lab").post("notifications", #"{"message":{"token":"x","data":{"link":"lab://go/3"}}}"#)
    #expect(fcm.routes == ["first", "second"])
  }

  @Test func `the pages of the history contain every entry`() throws {
    let session = try Workshop().session("lab", #","accessToken":"the-token""#)
    for n in 1...4 { _ = try session.act(#"{"step":"go","params":{"n":\#(n)}}"#) }
    var path = "/history?limit=2"
    var revisions: [Value] = []
    var pages = 0
    while pages < 10 {
      let page = try session.get(path)
      guard case .array(let entries)? = page["entries"] else { throw Workshop.NoSession(reply: page) }
      revisions += entries.compactMap { $0["revision"] }
      pages += 1
      guard case .string(let next)? = page["next"] else { break }
      path = String(next.dropFirst("/v1/sessions/\(session.id)".count))
    }
    #expect(pages == 3 && revisions == [1, 2, 3, 4, 5])
    let all = try session.get("/history")
    #expect(all["next"] == nil && !all.text.contains("the-token"))
    guard case .array(let entries)? = all["entries"] else { throw Workshop.NoSession(reply: all) }
    #expect(entries[0]["action"] == ["type": "create", "accessToken": true])
    #expect(entries[1]["action"] == ["step": "go", "params": ["n": 1]])
    #expect(try session.get("/history?after=5").json == ["entries": []])
  }
}
