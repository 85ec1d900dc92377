import CairnCore
import CairnHTTP
import CairnTesting
import Testing

@testable import CairnServer

@Suite(.tags(.timing), .ownThreads) struct `Endpoints with an idempotency key` {
  private static let key = [("Idempotency-Key", "8e03978e-40d5-43dd-bc93-6894a57f9324")]

  /// The posts that change no stored data.
  private static let changingNothing: Set = ["predict", "exportSession", "sellTicket", "sellTicketForAll"]
  /// The posts that refuse a key.
  private static let refusing: Set = ["startRollout", "changeRollout"]

  @Test func `every post that changes something takes a key, or refuses it`() throws {
    let posts = Endpoint.all.filter { $0.method == .post }
    let taking = posts.filter { $0.headers.contains(.idempotencyKey) || $0.headers.contains(.secretKey) }.map(\.id)
    #expect(Set(taking) == Set(posts.map(\.id)).subtracting(Self.changingNothing).subtracting(Self.refusing))
    let workshop = try Workshop()
    for path in ["/v1/apps/lab/rollouts", "/v1/apps/lab/rollouts/stop"] {
      let reply = try workshop.send(
        "POST", path, #"{"to":"\#(String(repeating: "0", count: 64))"}"#, as: Workshop.operatorKey, headers: Self.key)
      #expect(reply.status == 422 && reply.text.contains("Idempotency-Key"))
    }
  }

  @Test func `a repeated undo does not take back what came since`() throws {
    let session = try Workshop().session("lab")
    func undo() throws -> Reply { try session.post("undo", #"{"revision":1}"#, as: Workshop.operatorKey, headers: Self.key) }
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    let first = try undo()
    #expect(first.status == 200 && first.revision == 3 && first.routes == ["first"])
    _ = try session.act(#"{"step":"go","params":{"n":7}}"#)
    let again = try undo()
    #expect(again.text == first.text && again.headers["idempotency-replayed"] == "true")
    #expect(try session.get().revision == 4 && session.get("/stack").text.contains("second"))
    let other = try session.post("undo", #"{"revision":2}"#, as: Workshop.operatorKey, headers: Self.key)
    #expect(other.code == "idempotency-key-reused")
  }

  @Test func `an undo that could not be done may be repeated under its key`() throws {
    let session = try Workshop().session("lab")
    func undo() throws -> Reply { try session.post("undo", #"{"revision":2}"#, as: Workshop.operatorKey, headers: Self.key) }
    #expect(try undo().code == "unknown-revision")
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    #expect(try undo().status == 200)
  }

  @Test func `a repeated forgetting forgets no more than the first one`() throws {
    let session = try Workshop().session("lab")
    func forget() throws -> Reply { try session.post("forget", "{}", as: Workshop.operatorKey, headers: Self.key) }
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    #expect(try forget()["firstRevision"] == 2)
    _ = try session.act(#"{"step":"go","params":{"n":3}}"#)
    // The stored response of the request is forgotten together with the history of its time.
    #expect(try forget().code == "response-forgotten")
    #expect(try session.get("?revision=2").status == 200)
  }

  @Test func `a repeated migration gets the first response`() throws {
    let kiosk = try Kiosk()
    func move() throws -> Reply {
      try kiosk.session.post("migrate", #"{"to":"\#(kiosk.new)"}"#, as: Workshop.operatorKey, headers: Self.key)
    }
    let first = try move()
    #expect(first.status == 200 && first["outcome"] == "performed")
    let again = try move()
    #expect(again.text == first.text && again.headers["idempotency-replayed"] == "true")
  }
}
