import CairnCore
import CairnServer
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Forking a session over HTTP` {
  @Test func `a fork begins with the state of a revision, and lives on its own`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab", #","label":"a""#)
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    _ = try session.act(#"{"type":"facts","set":{"count":3}}"#, as: Workshop.operatorKey)
    let before = try session.get()
    _ = try session.act(#"{"step":"go","params":{"n":4}}"#)
    let fork = try session.fork(#"{"revision":3,"label":"b"}"#)
    #expect(fork.created.status == 201 && fork.created.headers["location"] == "/v1/sessions/\(fork.id)")
    #expect(fork.id != session.id && fork.secret != session.secret && fork.created.taggedRevision == 1)
    for reply in [fork.created, try fork.get()] {
      #expect(reply.revision == 1 && reply["label"] == "b" && reply["app"] == "lab" && reply["definition"] == before["definition"])
      #expect(reply["tree"] == before["tree"] && reply["facts"] == before["facts"] && reply["stack"] == before["stack"])
    }
    let entry = try #require(try fork.entries().first)
    #expect(entry["cause"] == ["type": "forked", "session": .string(session.id), "revision": 3] && entry["by"] == "operator")
    #expect(try fork.act(#"{"step":"go","params":{"n":5}}"#).routes == ["first", "second", "second"])
    #expect(try session.get().revision == 4 && session.get(headers: []).routes == ["first", "second", "second"])
    #expect(try session.fork("{}").get()["stack"] == session.get()["stack"])
  }

  @Test func `a fork of a session without actions begins at the time of its manual clock`() throws {
    let session = try Workshop().session("lab", #","clock":"2026-03-01T12:00:00Z""#)
    let time: Value = "2026-03-01T12:00:00.000Z"
    #expect(session.created["now"] == time && session.created["updatedAt"] == time)
    #expect(try session.fork("{}").created["now"] == time)
  }
}

extension Driven {
  /// Forks the session as an operator. `body` is the request's body.
  func fork(_ body: String, headers: [(String, String)] = []) throws -> Driven {
    try workshop.began(post("fork", body, as: Workshop.operatorKey, headers: headers))
  }

  /// The session's entries.
  func entries() throws -> [Value] { try entries(after: 0) }
}

extension Workshop {
  /// The session that a request created. Throws if the request created none.
  func began(_ reply: Reply) throws -> Driven {
    guard reply.status == 201, let id = reply["id"]?.word, let secret = reply["secret"]?.word else { throw NoSession(reply: reply) }
    return Driven(workshop: self, id: id, secret: secret, created: reply)
  }
}
