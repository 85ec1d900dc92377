import CairnCore
import CairnJournal
import GRDB
import CairnStore
import CairnTesting
import Testing

@testable import CairnSQLite

@Suite(.tags(.timing), .ownThreads) struct `Durability` {
  @Test func `a confirmed action is restored after the process was killed`() throws {
    let database = try TemporaryDatabase()
    let bench = try StoreBench(try database.open())
    defer { bench.store.stop() }
    try bench.create("a", label: "mine")
    for page in 1...20 { try bench.post(Trial.page(page), to: "a") }
    let before = try bench.session("a")

    let left = try database.crashed()
    let again = try StoreBench(try left.open())
    defer { again.store.stop() }
    let after = try again.session("a")
    #expect(after.state == before.state)
    #expect(after.pages == Array(0...20))
    #expect(after.label == "mine")
    #expect(try again.history(of: "a").items.map(\.entry.revision) == Array(1...21))
    #expect(try again.session("a", at: 3).pages == [0, 1, 2])
    try again.post(Trial.page(21), to: "a")
    #expect(try again.session("a").state.revision == 22)
  }
}

@Suite(.tags(.timing), .ownThreads) struct `Full disk` {
  @Test func `a full disk rejects writes, keeps the existing entries, and writing resumes once there is room`() throws {
    let database = try TemporaryDatabase()
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try journal.database.pool.writeWithoutTransaction { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages + 4)")
    }
    var accepted = 0
    while try bench.fault(Trial.page(accepted + 1), to: "a") == nil, accepted < 1_000 { accepted += 1 }
    #expect((1..<1_000).contains(accepted))
    #expect(bench.store.figures.journalFault == JournalError.full.description)
    #expect(try bench.session("a").pages == Array(0...accepted))

    let left = try database.crashed()
    let survivor = try left.open()
    #expect(try survivor.sessions.session("a")?.state.revision == accepted + 1)
    #expect(try survivor.history.entries(of: "a", after: 0, limit: 2_000).count == accepted + 1)
    survivor.close()

    try journal.database.pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA max_page_count = 1000000") }
    bench.clock.advance(by: 1_000)
    try bench.settle()
    try bench.settle()
    #expect(bench.store.figures.journalFault == nil)
    try bench.post(Trial.page(accepted + 1), to: "a")
    #expect(try bench.history(of: "a", limit: 2_000).items.count == accepted + 2)
  }

  @Test func `a database that became unwritable is reported`() throws {
    let database = try TemporaryDatabase()
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try journal.database.pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA query_only = ON") }
    #expect(try bench.fault(Trial.page(1), to: "a")?.word == "storage")
    #expect(bench.store.figures.journalFault == JournalError.readOnly.description)
    try journal.database.pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA query_only = OFF") }
    try bench.post(Trial.page(1), to: "a")
    #expect(bench.store.figures.journalFault == nil)
  }
}

@Suite(.tags(.timing), .ownThreads) struct `After a restart` {
  @Test func `timers, calls and secrets continue after a restart`() throws {
    let database = try TemporaryDatabase()
    let clock = ManualClock()
    let first = try StoreBench(try database.open(), clock: clock)
    defer { first.store.stop() }
    try first.create("a", creation: Creation(environment: ["TRIAL_BASE_URL": "http://x"]), accessToken: "tok")
    try first.post(
      Trial.step("sleep"), Trial.step("ring"), .login(code: "code", state: nil, byOperator: true), to: "a")

    let left = try database.crashed()
    clock.advance(by: 25_000)
    let bench = try StoreBench(try left.open(), clock: clock)
    defer { bench.store.stop() }
    guard case .token(let call) = try bench.outbound.call(0) else {
      Issue.record("the token call did not run again")
      return
    }
    #expect(call.environment["TRIAL_BASE_URL"] == "http://x" && call.grant == .code("code", verifier: nil))
    try bench.outbound.end(0, .token("new"))
    try bench.settle()
    let session = try bench.session("a")
    #expect(session.pages == [0, 100])
    #expect(session.count == 1)
    #expect(session.state.login.status == .loggedIn)
  }

  @Test func `a session that this version cannot read does not stop the other sessions`() throws {
    let database = try TemporaryDatabase()
    let clock = ManualClock()
    do {
      let journal = try database.open()
      let bench = try StoreBench(journal, clock: clock)
      for id in ["a", "b"] {
        try bench.create(id)
        try bench.post(Trial.step("sleep"), to: id)
      }
      bench.store.stop()
      let pool = try DatabasePool(path: database.path)
      try pool.write { db in try db.execute(sql: "UPDATE entries SET difference = CAST('{}' AS BLOB) WHERE session = 1") }
      try pool.close()
    }
    clock.advance(by: 2_000)
    let bench = try StoreBench(try database.open(), clock: clock)
    defer { bench.store.stop() }
    try bench.settle()
    #expect(try bench.session("b").pages == [0, 100])
    let fault = #expect(throws: StoreFault.self) { try bench.session("a") }
    #expect(fault?.word == "storage")
    #expect(bench.events.count == 1)
    try bench.delete("b")
  }
}
