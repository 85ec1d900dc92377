import CairnJournal
import CairnPostgres
import CairnPostgresTesting
import CairnRuntime
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Tickets of several nodes` {
  @Test func `a ticket of one node opens one stream, once, at any other node`() throws {
    let schema = try TemporarySchema()
    let (one, other) = (try schema.open(), try schema.open())
    defer {
      one.close()
      other.close()
    }
    // The current time, because tickets that expired long ago are deleted.
    let now = Int(WallClock.now())
    func keep(_ number: UInt8) throws -> Bool {
      try one.cluster.keepTicket([number], [7, number], for: "s", until: now + 100, now: now, limit: 3)
    }
    func take(_ number: UInt8, of place: String = "s", after milliseconds: Int = 0, isLook: Bool = false) throws -> [UInt8]? {
      try other.cluster.takeTicket([number], for: place, now: now + milliseconds, isLook: isLook)
    }
    #expect(try keep(1))
    #expect(try take(1, of: "another") == nil)
    #expect(try take(2) == nil)
    #expect(try take(1, isLook: true) == [7, 1])
    #expect(try take(1) == [7, 1])
    #expect(try take(1) == nil)
    #expect(try one.cluster.takeTicket([1], for: "s", now: now, isLook: false) == nil)
    #expect(try keep(3))
    #expect(try take(3, after: 100) == nil, "it has expired")
    #expect(try [keep(4), keep(5), keep(6)] == [true, true, false])
  }
}
