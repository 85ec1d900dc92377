import CairnCore
import CairnTesting
import Testing

@testable import CairnServer

@Suite struct `Rejected secrets` {
  @Test(.oneNode("it counts the reads of the journal in memory"))
  func `an unknown session and a wrong secret of a cached session are rejected after the same reads`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let unknown = Identity.sessionID()
    var replies: [String] = []
    for id in [session.id, unknown, session.id, unknown] {
      let before = (secrets: workshop.journal.secretReads, sessions: workshop.journal.sessionReads)
      let reply = try workshop.send("GET", "/v1/sessions/\(id)", as: Identity.secret())
      #expect(reply.status == 401)
      #expect(workshop.journal.secretReads == before.secrets + 1 && workshop.journal.sessionReads == before.sessions, "\(id)")
      replies.append(reply["detail"].map { "\($0)" } ?? "")
    }
    #expect(Set(replies).count == 1)
  }

  @Test(.oneNode("it controls the journal in memory")) func `the right secret of a cached session causes no read of the journal`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let before = workshop.journal.secretReads
    #expect(try session.get().status == 200)
    #expect(try session.get("", headers: []).status == 200 && workshop.journal.secretReads == before)
    #expect(try workshop.send("GET", "/v1/sessions/\(session.id)", as: Workshop.operatorKey).status == 200)
  }

  @Test func `an operator key in the form of a secret opens sessions`() throws {
    let key = Identity.secret()
    let workshop = try Workshop(operators: [OperatorKey(name: "o", key: key)])
    let session = try workshop.session("lab")
    #expect(try workshop.send("GET", "/v1/sessions/\(session.id)", as: key).status == 200)
    #expect(try workshop.send("GET", "/v1/sessions/\(Identity.sessionID())", as: key).status == 404)
  }

  @Test func `the 404 of an unknown path names the console if it is enabled`() throws {
    let told = try Workshop().send("GET", "/")
    #expect(told.status == 404 && told.text.contains("/console") && told.text.contains("/openapi.json"), "\(told.text)")
    #expect(try !Workshop(hasConsole: false).send("GET", "/").text.contains("/console"))
  }
}
