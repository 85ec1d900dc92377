import CairnCore
import CairnHTTP
import CairnServer
import CairnStore
import CairnTesting
import Testing

@Suite struct `Request ids` {
  @Test func `the request id of a client is in the response, in the log line with the revision, and in the entries`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let id = "4bf92f35-77b3_4da6.A"
    let reply = try session.act(#"[{"step":"go","params":{"n":2}},{"step":"go","params":{"n":3}}]"#, headers: [("X-Request-Id", id)])
    #expect(reply.headers["x-request-id"] == id)
    let own = try session.act(#"{"type":"pop"}"#).headers["x-request-id"]
    guard case .array(let entries)? = try session.get("/history")["entries"] else { throw Workshop.NoSession(reply: reply) }
    #expect(entries.count == 4)
    #expect(entries.map { $0["request"] } == [session.created.headers["x-request-id"], id, id, own].map { $0.map(Value.string) })
    #expect(workshop.service.drain(within: .seconds(20)))
    let lines = workshop.log.all
    #expect(lines[0].contains("revision=1"))
    #expect(lines[1].contains("request=\(id)") && lines[1].contains("revision=3"))
    #expect(!lines[3].contains("revision="), "a read leads to none")
  }

  @Test(arguments: ["", " ", "a b", "é", "a\"b", "a;b", "a=b", String(repeating: "a", count: 65)])
  func `an id that is unsafe to repeat is replaced`(id: String) throws {
    let session = try Workshop().session("lab")
    let reply = try session.get(headers: [("X-Request-Id", id)])
    let given = try #require(reply.headers["x-request-id"])
    #expect(reply.status == 200 && given != id && !given.isEmpty)
  }

  @Test func `a replayed response and a rejection have the ids of their own requests`() throws {
    let session = try Workshop().session("lab")
    let refused = try session.act(#"{"step":"nope"}"#, headers: [("X-Request-Id", "r-1")])
    #expect(refused.status >= 400 && refused.text.contains("urn:cairn:request:r-1"))
  }
}
