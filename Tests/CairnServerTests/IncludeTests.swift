import CairnAPI
import CairnCore
import CairnTesting
import Foundation
import Testing

/// The members of the session that a response to a post contains on request.
@Suite(.tags(.timing), .ownThreads) struct `Included members over HTTP` {
  private static let names = SessionMembers.allNames
  private static let all = "include=\"\(names.joined(separator: " "))\""

  /// Expects that the included members of a response are those of the session.
  private func expectIncluded(_ reply: Reply, as session: Reply, _ source: SourceLocation = #_sourceLocation) {
    #expect((200..<300).contains(reply.status), "\(reply.text)", sourceLocation: source)
    for name in Self.names { #expect(reply[name] == session[name], "\(name): \(reply.text)", sourceLocation: source) }
    #expect(reply.headers["preference-applied"]?.hasSuffix(Self.all) == true, sourceLocation: source)
  }

  @Test(arguments: ["", "return=minimal, "])
  func `the response to every post has the members that the session has then`(minimal: String) throws {
    let session = try Workshop(sessionTTL: 3_600_000).session("lab", #","clock":"manual""#)
    let posts = [
      ("actions", #"{"step":"go","params":{"n":5}}"#), ("actions", #"{"step":"tick"}"#), ("actions", #"{"type":"pop"}"#),
      ("actions", #"{"type":"pop"}"#), ("actions", #"[{"step":"go","params":{"n":1}},{"type":"pop"},{"type":"pop"}]"#),
      ("actions", #"{"type":"token","accessToken":"the-token"}"#), ("actions", #"{"type":"advance","by":"10s"}"#),
      ("open", #"{"url":"lab://go/3"}"#), ("notifications", #"{"message":{"token":"x","data":{"link":"lab://go/4"}}}"#),
    ]
    for (path, body) in posts {
      let reply = try session.post(path, body, headers: [("Prefer", minimal + Self.all)])
      let whole = try session.get()
      #expect(reply.revision == whole.revision && reply.headers["etag"] == whole.headers["etag"])
      #expect((reply["tree"] == nil) == !minimal.isEmpty)
      expectIncluded(reply, as: whole)
      #expect(!reply.text.contains("the-token"))
    }
    #expect(try session.get()["now"] != nil && session.get()["expiresAt"] != nil && session.get()["login", "status"] == "loggedIn")
  }

  @Test func `a plan has the members that the post has afterwards`() throws {
    let session = try Workshop().session("lab", #","clock":"manual""#)
    for body in [#"{"step":"go","params":{"n":5}}"#, #"[{"step":"tick"},{"type":"advance","by":"1s"}]"#, #"{"type":"logout"}"#] {
      let planned = try session.post("actions?plan", body, headers: [("Prefer", Self.all)])
      expectIncluded(planned, as: try session.act(body, headers: [("Prefer", Self.all)]))
      expectIncluded(planned, as: try session.get())
    }
  }

  @Test func `a moved session's members are those of its new definition, and an undo has members too`() throws {
    let kiosk = try Kiosk()
    try kiosk.session.readTerms(2)
    let planned = try kiosk.session.move(to: kiosk.new, "?plan", headers: [("Prefer", Self.all)])
    let moved = try kiosk.session.move(to: kiosk.new, headers: [("Prefer", Self.all)])
    expectIncluded(moved, as: try kiosk.session.get())
    #expect(moved["definition"] == .string(kiosk.new) && planned["definition"] == moved["definition"])
    expectIncluded(try kiosk.session.undo(to: 1, headers: [("Prefer", Self.all)]), as: try kiosk.session.get())
  }

  @Test func `only the members that are named are added, and unknown names are ignored`() throws {
    let session = try Workshop().session("lab")
    let body = #"{"step":"go","params":{"n":5}}"#
    let plain = try session.act(body)
    #expect(Self.names.allSatisfy { plain[$0] == nil } && plain.headers["preference-applied"] == nil)
    let some = try session.act(body, headers: [("Prefer", "include=\"pending secret tree login pending\"")])
    #expect(Self.names.filter { some[$0] != nil } == ["login", "pending"] && some["secret"] == nil)
    #expect(some.headers["preference-applied"] == "include=\"login pending\"")
    let none = try session.act(body, headers: [("Prefer", "include=\"secret\", wait=3")])
    #expect(Self.names.allSatisfy { none[$0] == nil } && none.headers["preference-applied"] == nil)
  }

  @Test func `a kept response keeps the members of its time`() throws {
    let session = try Workshop().session("lab")
    let headers = [("Idempotency-Key", "one"), ("Prefer", Self.all)]
    let body = #"{"step":"tick"}"#
    let first = try session.act(body, headers: headers)
    expectIncluded(first, as: try session.get())
    _ = try session.act(#"{"type":"token","accessToken":"the-token"}"#)
    for preference in [Self.all, "return=minimal"] {
      let again = try session.act(body, headers: [("Idempotency-Key", "one"), ("Prefer", preference)])
      #expect(again.text == first.text && again.headers["idempotency-replayed"] == "true")
      #expect(again.headers["preference-applied"] == first.headers["preference-applied"])
    }
    #expect(try session.get()["login"] != first["login"])
  }

  @Test func `hidden facts and tokens are in no included member`() throws {
    let session = try Workshop().session("lab", #","accessToken":"the-token""#)
    let reply = try session.act(#"{"step":"go","params":{"n":5}}"#, headers: [("Prefer", Self.all)])
    #expect(reply["facts", "accessToken"] == true && !reply.text.contains("the-token"))
    expectIncluded(reply, as: try session.get())
  }
}
