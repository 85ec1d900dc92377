import CairnCore
import CairnRuntime
import CairnServer
import CairnStore
import CairnTesting
import Testing

/// Only the readers' threads compute predictions and read old entries. These tests occupy all of them.
@Suite(.tags(.timing), .ownThreads) struct `Requests while the readers are busy` {
  /// Occupies the readers of a service until `end` is called.
  private final class Occupation: Sendable {
    private let isOver = Monitor(false)
    private let begun = Monitor(0)

    init(_ workshop: Workshop) throws {
      let (isOver, begun) = (isOver, begun)
      for number in 0..<32 {
        workshop.store.compute("occupied-\(number)") {
          begun.change { $0 += 1 }
          _ = isOver.wait(until: TestTimeout.deadline) { $0 ? true : nil }
        } reply: { (_: Result<Void, StoreFault>) in
        }
      }
      _ = try begun.wait(for: "a reader that is occupied") { $0 > 0 ? true : nil }
    }

    func end() { isOver.change { $0 = true } }
  }

  private static let go = #"{"step":"go","params":{"n":5}}"#
  private static let predict = [("Prefer", "predict")]

  @Test(.oneNode("it occupies the readers of one node")) func `a post that predicts waits for a reader, and other posts do not wait`()
    throws
  {
    let workshop = try Workshop()
    let (session, other) = (try workshop.session("lab"), try workshop.session("lab"))
    let occupation = try Occupation(workshop)
    defer { occupation.end() }
    let answer = Awaited<Reply>()
    _ = try NamedThread("predicting") { if let reply = try? session.act(Self.go, headers: Self.predict) { answer.give(reply) } }
    try wait(for: "the entry of the post") { try session.get().revision == 2 }
    #expect(try other.act(Self.go).status == 200)
    #expect(answer.count == 0, "its predictions were computed without a reader")
    occupation.end()
    let reply = try answer.value()
    #expect(reply.status == 200 && reply["predictions"] != nil && reply.headers["preference-applied"] == "predict")
  }

  @Test(.oneNode("it occupies the readers of one node")) func `events of other sessions come while a stream waits for its predictions`()
    throws
  {
    let workshop = try Workshop()
    let (session, other) = (try workshop.session("lab"), try workshop.session("lab"))
    let plain = try other.listen()
    // From here on, only the listening thread uses this stream.
    nonisolated(unsafe) let predicting = try session.listen("?predict")
    #expect(try predicting.next()?.json["predictions"] != nil && plain.next() != nil)
    let occupation = try Occupation(workshop)
    defer { occupation.end() }
    let event = Awaited<EventClient.Event>()
    _ = try NamedThread("listening") { if let next = try? predicting.next() { event.give(next) } }
    _ = try session.act(Self.go)
    _ = try other.act(Self.go)
    #expect(try plain.next()?.id?.hasPrefix("2-") == true)
    #expect(event.count == 0, "its predictions were computed without a reader")
    occupation.end()
    #expect(try event.value().json["predictions"] != nil)
  }

  @Test(.oneNode("it occupies the readers of one node")) func `a stream that cannot keep up gets its events without predictions`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let predicting = try session.listen("?predict")
    _ = try predicting.next()
    let occupation = try Occupation(workshop)
    defer { occupation.end() }
    for number in 1...65 { _ = try session.act(#"{"type":"facts","set":{"count":\#(number)}}"#, as: Workshop.operatorKey) }
    let events = try predicting.next(65)
    #expect(events.allSatisfy { $0.json["predictions"] == nil })
    #expect(events.map { $0.json["revision"] } == (2...66).map { .integer($0) })
  }

  @Test(.oneNode("it occupies the readers of one node"))
  func `a numbered action that names a node of an earlier request waits for a reader, and other posts do not wait`() throws {
    let workshop = try Workshop()
    let (session, other) = (try workshop.session("lab"), try workshop.session("lab"))
    let client = String(repeating: "c", count: 22)
    _ = try session.act(#"{"client":"\#(client)","first":1,"actions":[\#(Self.go)]}"#)
    let occupation = try Occupation(workshop)
    defer { occupation.end() }
    let answer = Awaited<Reply>()
    _ = try NamedThread("numbered") {
      let pop = #"{"type":"pop","node":{"action":1,"node":0}}"#
      if let reply = try? session.act(#"{"client":"\#(client)","first":2,"actions":[\#(pop)]}"#) { answer.give(reply) }
    }
    try wait(for: "a post that waits") { try workshop.total("cairn_http_requests_in_flight") > 1 }
    #expect(try other.act(Self.go).status == 200)
    #expect(answer.count == 0, "its nodes were looked up without a reader")
    occupation.end()
    #expect(try answer.value()["answers"] != nil && session.get().revision == 3)
  }

  @Test func `the end of its session ends a stream after all events`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let predicting = try session.listen("?predict")
    for _ in 0..<5 { _ = try session.act(Self.go) }
    #expect(try workshop.send("DELETE", "/v1/sessions/\(session.id)", as: session.secret).status == 204)
    let rest = try predicting.rest()
    #expect(rest.compactMap { $0.json["revision"] } == (1...6).map { .integer($0) } && rest.last?.name == "end")
  }
}
