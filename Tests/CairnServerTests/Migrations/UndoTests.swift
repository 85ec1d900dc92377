import CairnCore
import CairnServer
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Taking a session back over HTTP` {
  @Test func `the tree and the facts of a revision are restored, in a new revision with its reason`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    _ = try session.act(#"{"type":"facts","set":{"count":3}}"#, as: Workshop.operatorKey)
    let before = try session.get()
    _ = try session.act(#"[{"step":"go","params":{"n":4}},{"type":"pop"},{"type":"popToRoot"}]"#)
    _ = try session.act(#"{"type":"facts","set":{"count":9}}"#, as: Workshop.operatorKey)
    let undone = try session.undo(to: 3, #","reason":"the wrong \"n\"""#)
    #expect(undone.status == 200 && undone["outcome"] == "performed" && undone.revision == 8 && undone.taggedRevision == 8)
    let now = try session.get()
    #expect(now["tree"] == before["tree"] && now["facts"] == before["facts"] && now["stack"] == before["stack"])
    #expect(now.revision == 8 && now["definition"] == before["definition"] && now.headers["etag"] == undone.headers["etag"])
    let entry = try #require(try session.entries(after: 7).first)
    #expect(entry["cause"] == ["reason": "the wrong \"n\"", "revision": 3, "type": "undone"] && entry["by"] == "operator")
    #expect(entry["changes"] == undone["changes"])
    #expect(try session.get("?revision=7")["facts", "count"] == 9)
  }

  @Test func `the first, the present and an undone revision can be restored`() throws {
    let session = try Workshop().session("lab")
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    #expect(try session.undo(to: 1).routes == ["first"])
    #expect(try session.undo(to: 2).routes == ["first", "second"])
    #expect(try session.undo(to: 3).routes == ["first"])
    #expect(try session.undo(to: 5).routes == ["first"] && session.get().revision == 6)
    #expect(try session.entries(after: 2).map { $0["cause"] } == [1, 2, 3, 5].map { ["revision": .integer($0), "type": "undone"] })
    #expect(try session.act(#"{"step":"go","params":{"n":3}}"#).routes == ["first", "second"])
  }

  @Test func `new nodes get new ids after an undo`() throws {
    let session = try Workshop().session("lab")
    func newest(_ reply: Reply) -> Value? { if case .array(let stack)? = reply["stack"] { stack.last?["id"] } else { nil } }
    let first = try session.act(#"{"step":"go","params":{"n":2}}"#)
    _ = try session.undo(to: 1)
    let second = try session.act(#"{"step":"go","params":{"n":2}}"#)
    #expect(newest(first) != nil && newest(second) != nil && newest(first) != newest(second))
    #expect(try newest(session.undo(to: 2)) == newest(first))
  }

  @Test func `a revision of an old definition brings the old definition back`() throws {
    let kiosk = try Kiosk()
    let session = kiosk.session
    try session.readTerms(2)
    let before = try session.get()
    _ = try session.move(to: kiosk.new)
    _ = try session.act(#"{"step":"conditionsAreRequired","params":{"number":3}}"#)
    let undone = try session.undo(to: 2)
    #expect(undone.status == 200 && undone.revision == 5 && undone.pages == ["home", "terms 2"])
    let now = try session.get()
    #expect(now["definition"] == .string(kiosk.old) && now["tree"] == before["tree"] && now["facts"] == before["facts"])
    #expect(
      try (1...5).map { try session.get("?revision=\($0)")["definition"] }
        == [kiosk.old, kiosk.old, kiosk.new, kiosk.new, kiosk.old].map { .string($0) })
    #expect(try session.readTerms(4).pages == ["home", "terms 2", "terms 4"])
    #expect(try session.move(to: kiosk.new).pages == ["home", "conditions 2", "conditions 4"])
    #expect(try session.undo(to: 4).pages == ["home", "conditions 2", "conditions 3"])
  }

  @Test func `a revision that the session does not have is not found, and nothing changes`() throws {
    let session = try Workshop().session("lab")
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    let before = try session.whole()
    for revision in [3, 99, Int(Int32.max), .max] {
      let reply = try session.undo(to: revision)
      #expect(reply.status == 404 && reply.code == "unknown-revision" && reply.revision == 2, "\(revision)")
      #expect(reply["detail"] == "the revision must be from 1 to 2, the session's newest")
    }
    for revision in [0, -1, .min] {
      let reply = try session.undo(to: revision)
      #expect(reply.status == 422 && reply.places == ["#/revision"], "\(revision)")
    }
    #expect(try session.whole() == before)
  }

  @Test func `the body is checked, with all mistakes`() throws {
    let session = try Workshop().session("lab")
    func post(_ body: String) throws -> Reply { try session.post("undo", body, as: Workshop.operatorKey) }
    #expect(try post("{}").places == ["#/revision"] && post("[]").code == "wrong-shape" && post("{").code == "not-json")
    #expect(try post(#"{"revision":"1"}"#).places == ["#/revision"] && post(#"{"revision":1.5}"#).places == ["#/revision"])
    #expect(try post(#"{"revision":1,"reason":7,"why":1}"#).places.sorted() == ["#/reason", "#/why"])
    let long = String(repeating: "é", count: 200)
    #expect(try post(#"{"revision":1,"reason":"\#(long)e"}"#).places == ["#/reason"])
    #expect(try post(#"{"revision":1,"reason":"a\nb"}"#).places == ["#/reason"])
    #expect(try session.post("undo?plan", #"{"revision":1}"#, as: Workshop.operatorKey).places == ["?plan"])
    #expect(try session.get().revision == 1)
    #expect(try post(#"{"revision":1,"reason":"\#(long)"}"#).status == 200)
    #expect(try session.entries(after: 1).first?.at(["cause", "reason"]) == .string(long))
  }

  @Test func `another revision than the expected one is not taken back`() throws {
    let session = try Workshop().session("lab")
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    let late = try session.undo(to: 1, headers: [("If-Match", "\"1\"")])
    #expect(late.status == 412 && late.code == "revision-mismatch" && late.taggedRevision == 2)
    let tag = try session.get().headers["etag"] ?? ""
    #expect(try session.undo(to: 1, headers: [("If-Match", tag)]).revision == 3)
    #expect(try session.undo(to: 1, headers: [("If-Match", tag)]).status == 412)
  }

  @Test func `the login and the access token stay as they are`() throws {
    let session = try Workshop().session("lab")
    _ = try session.act(#"{"type":"token","accessToken":"the-token"}"#)
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    _ = try session.undo(to: 1)
    #expect(try session.get()["login"] == ["status": "loggedIn"] && session.get()["facts", "accessToken"] == true)
    _ = try session.act(#"{"type":"logout"}"#)
    _ = try session.undo(to: 3)
    let now = try session.get()
    #expect(now["login"] == ["status": "loggedOut"] && now["facts", "accessToken"] == false && now.routes == ["first", "second"])
  }

  @Test func `a timer that still runs goes on, and one that has ended does not begin again`() throws {
    let clock = ManualClock()
    let session = try Workshop(clock: clock).session("lab")
    _ = try session.act(#"{"step":"tick"}"#)
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    clock.advance(by: 4_000)
    #expect(try session.undo(to: 2).routes == ["first"])
    let client = try session.listen(headers: [("Last-Event-ID", "4")])
    clock.advance(by: 6_000)
    #expect(try client.next()?.taggedRevision == 5)
    #expect(try session.get().routes == ["first", "second"])
    // The timer has ended, so an undo to a revision at which it was running does not start it again.
    #expect(try session.undo(to: 2).routes == ["first"])
    clock.advance(by: 60_000)
    _ = try session.act(#"{"type":"facts","set":{"count":1}}"#, as: Workshop.operatorKey)
    #expect(try session.get().revision == 7 && session.get().routes == ["first"])
  }

  @Test func `a timer that did not run at the revision is cancelled`() throws {
    let session = try Workshop().session("lab", #","clock":"manual""#)
    _ = try session.act(#"{"step":"tick"}"#)
    _ = try session.undo(to: 1)
    #expect(try session.act(#"{"type":"advance","by":"1m"}"#).routes == ["first"])
    #expect(try session.get("/history").text.contains(#""effect""#) == false)
  }

  @Test func `the history of a session that was taken back is no scenario`() throws {
    let session = try Workshop().session("lab")
    _ = try session.undo(to: 1)
    let reply = try session.get("/history?as=scenario")
    #expect(reply.status == 422 && reply.code == "invalid")
    #expect(reply["detail"] == "this history cannot be written as a scenario: the session was restored to an earlier revision")
  }
}
