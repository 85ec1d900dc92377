import CairnCore
import CairnHTTP
import CairnServer
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Refused moves` {
  /// Posts a move that is refused, and checks that the session is unchanged.
  private func refused(_ session: Driven, to hash: String, _ query: String = "") throws -> Reply {
    let before = try session.whole()
    let reply = try session.move(to: hash, query)
    #expect(try session.whole() == before)
    return reply
  }

  @Test(arguments: ["", "?plan"]) func `without a document the session stays`(query: String) throws {
    let kiosk = try Kiosk(migration: nil)
    let reply = try refused(kiosk.session, to: kiosk.new, query)
    #expect(reply.status == 409 && reply.code == "no-migration")
    let detail = "no migration leads from the definition \(kiosk.old.prefix(12)) to \(kiosk.new.prefix(12)); nothing was changed"
    #expect(reply["detail"] == .string(detail))
  }

  @Test func `a document leads in one direction only`() throws {
    let kiosk = try Kiosk()
    _ = try kiosk.session.move(to: kiosk.new)
    #expect(try refused(kiosk.session, to: kiosk.old).code == "no-migration")
  }

  @Test(arguments: ["", "?plan"]) func `a session with a part that has no place stays, and the response names the part`(query: String)
    throws
  {
    let kiosk = try Kiosk()
    _ = try kiosk.session.act(#"{"step":"adFillsScreen"}"#)
    let reply = try refused(kiosk.session, to: kiosk.new, query)
    #expect(reply.status == 409 && reply.code == "not-migrated")
    #expect(
      reply["detail"]
        == "the session stays on its definition: ads (n3) cannot be popped to home, because no home is below it")
    // The session continues as before, and moves once the node has been removed.
    #expect(try kiosk.session.act(#"{"type":"set","stack":[{"screen":"home"}]}"#, as: Workshop.operatorKey).status == 200)
    #expect(try kiosk.session.move(to: kiosk.new).pages == ["home"])
  }

  @Test func `an unknown hash and one of another app are not found`() throws {
    let kiosk = try Kiosk()
    let lab = try kiosk.workshop.session("lab").created["definition"]?.word ?? ""
    for hash in [Kiosk.unknown, lab] {
      let reply = try refused(kiosk.session, to: hash)
      #expect(reply.status == 404 && reply.code == "not-found")
      #expect(reply["detail"] == .string("the app kiosk has no definition with the hash \(hash); put it first"))
    }
  }

  @Test func `the body is checked, with all mistakes`() throws {
    let kiosk = try Kiosk()
    func post(_ body: String, type: String? = "application/json") throws -> Reply {
      try kiosk.session.post("migrate", body, as: Workshop.operatorKey, type: type)
    }
    let before = try kiosk.session.whole()
    for hash in ["", "x", String(kiosk.new.dropLast()), kiosk.new.uppercased(), kiosk.new + "0"] {
      let reply = try post(#"{"to":"\#(hash)"}"#)
      #expect(reply.status == 422 && reply.code == "invalid" && reply.places == ["#/to"], "\(hash)")
    }
    #expect(try post("{}").places == ["#/to"])
    #expect(try post(#"{"to":1,"from":"x"}"#).places.sorted() == ["#/from", "#/to"])
    #expect(try post("[]").code == "wrong-shape" && post("{").code == "not-json")
    #expect(try post("to: x", type: "application/yaml").status == 415)
    #expect(try kiosk.session.move(to: kiosk.new, "?plans").places == ["?plans"])
    #expect(try kiosk.session.whole() == before)
  }

  @Test func `only operators move a session or take it back`() throws {
    let kiosk = try Kiosk()
    let before = try kiosk.session.whole()
    for reply in [try kiosk.session.move(to: kiosk.new, as: kiosk.session.secret), try kiosk.session.undo(to: 1, as: kiosk.session.secret)]
    {
      #expect(reply.status == 403 && reply.code == "operator-only")
    }
    for reply in [try kiosk.session.move(to: kiosk.new, as: "nobody's"), try kiosk.session.undo(to: 1, as: "nobody's")] {
      #expect(reply.status == 401 && reply.code == "unauthorized")
    }
    #expect(try kiosk.session.whole() == before)
  }

  @Test func `a session that does not exist is not found`() throws {
    let kiosk = try Kiosk()
    #expect(try kiosk.workshop.send("DELETE", "/v1/sessions/\(kiosk.session.id)", as: Workshop.operatorKey).status == 204)
    for reply in [try kiosk.session.move(to: kiosk.new), try kiosk.session.move(to: kiosk.new, "?plan"), try kiosk.session.undo(to: 1)] {
      #expect(reply.status == 404 && reply.code == "unknown-session")
    }
  }
}
