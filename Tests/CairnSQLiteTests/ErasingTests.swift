import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

/// Tests of the erasure of a deleted session's bytes from the files.
@Suite(.tags(.timing), .ownThreads) struct `Erasing` {
  let database: TemporaryDatabase
  let events = Lock<[StoreEvent]>([])

  init() throws { database = try TemporaryDatabase() }

  private func open() throws -> SQLiteJournal {
    let events = events
    return try SQLiteJournal(path: database.path, keys: [database.key]) { event in events.withLock { $0.append(event) } }
  }

  private func holds(_ text: String) throws -> Bool { try database.bytes().range(of: Data(text.utf8)) != nil }

  @Test func `a deleted session is erased from the files while others post and read`() throws {
    let journal = try open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a", label: "label-to-be-forgotten")
    try bench.create("b")
    for page in 1...50 { try bench.post(Trial.page(page), to: "a") }
    try bench.delete("a")
    #expect(throws: StoreFault.self) { try bench.session("a") }
    var page = 0
    try wait(for: "the end of the erasing") {
      page += 1
      try bench.post(Trial.page(page), .action(.pop(count: 1, node: nil)), to: "b")
      _ = try bench.history(of: "b", after: 0, limit: 10)
      return !journal.figures.isErasing
    }
    #expect(try !holds("label-to-be-forgotten"))
  }

  @Test func `history that was forgotten is erased in the promised time while others post, so no overdue erasure is reported`() throws {
    let journal = try open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.create("b", label: "label-that-stays")
    // Each pair of commands adds two entries, and the page's number is the text that is searched for.
    let pairs = (1...500).flatMap { _ in [Trial.page(2_718_281), .action(.pop(count: 1, node: nil))] }
    for start in stride(from: 0, to: pairs.count, by: 100) {
      _ = try awaiting { bench.store.post(Array(pairs[start..<start + 100]), to: "a", matching: nil, message: nil, reply: $0) }.get()
    }
    #expect(try holds("2718281"))
    let newest = try bench.session("a").state.revision
    #expect(try awaiting { bench.store.forget("a", before: nil, reply: $0) }.get() == newest)
    var page = 0
    try wait(for: "the end of the erasing") {
      page += 1
      try bench.post(Trial.page(page), .action(.pop(count: 1, node: nil)), to: "b")
      return !journal.figures.isErasing
    }
    #expect(try !holds("2718281") && holds("label-that-stays"))
    // No erasure took longer than 10 s, so none is reported. `an outside reader delays no request, …` tests the report.
    #expect(events.withLock { $0 } == [])
  }

  @Test func `an outside reader delays no request, and erasures that wait for it are reported and then completed`() throws {
    let journal = try open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a", label: "label-to-be-forgotten")
    try bench.create("b")
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let outside = try DatabaseQueue(path: database.path, configuration: configuration)
    try outside.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN")
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sessions")
    }
    try bench.delete("a")
    // The outside reader prevents several attempts to truncate the log.
    var page = 0
    try wait(for: "the report that the erasing is overdue") {
      page += 1
      try bench.post(Trial.page(page), .action(.pop(count: 1, node: nil)), to: "b")
      return events.withLock { $0.contains { if case .erasureOverdue = $0 { true } else { false } } }
    }
    // About ten seconds have passed. A post that waited for the reader would take five seconds.
    #expect(page > 10)
    #expect(journal.figures.isErasing && journal.figures.erasureHindrance == .reader)
    #expect(journal.figures.erasureAge > 10_000_000_000)
    try outside.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }
    try wait(until: { !journal.figures.isErasing })
    #expect(journal.figures.erasureHindrance == .none)
    try wait(until: { events.withLock { $0.last == .erasureDone } })
    #expect(try !holds("label-to-be-forgotten"))
    try outside.close()
  }

  @Test func `a failed erasure is repeated after a time, without another deletion`() throws {
    let journal = try open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a", label: "label-to-be-forgotten")
    try journal.database.pool.write { db in
      try db.execute(sql: "CREATE TEMP TRIGGER refuse BEFORE DELETE ON main.entries BEGIN SELECT raise(ABORT, 'no'); END")
    }
    try bench.delete("a")
    try wait(until: { journal.figures.erasureFaults > 0 })
    #expect(journal.figures.isErasing)
    try journal.database.pool.write { db in try db.execute(sql: "DROP TRIGGER refuse") }
    try wait(until: { !journal.figures.isErasing })
    #expect(try !holds("label-to-be-forgotten"))
  }

  @Test func `after a kill, what was erased does not remain in the log`() throws {
    let bench = try StoreBench(try open())
    try bench.create("a", label: "label-to-be-forgotten")
    try bench.delete("a")
    let left = try database.crashed()
    bench.store.stop()
    let journal = try left.open()
    try wait(until: { !journal.figures.isErasing })
    #expect(try left.bytes().range(of: Data("label-to-be-forgotten".utf8)) == nil)
    journal.close()
  }

  @Test func `the sweeper waits for readers, and readers wait for the sweeper`() throws {
    let gate = ReadGate()
    gate.enter()
    #expect(gate.withoutReaders(until: Monotonic.now() + 1_000_000) { true } == nil)
    gate.leave()
    #expect(gate.withoutReaders(until: Monotonic.now() + 1_000_000) { true } == true)
    let passed = Awaited<Void>()
    let inside = Awaited<Void>()
    let isOver = Monitor(false)
    let closer = try NamedThread("gate") {
      _ = gate.withoutReaders(until: .max) {
        inside.give(())
        let _: Void? = isOver.wait { $0 ? () : nil }
      }
    }
    try inside.value()
    let reader = try NamedThread("reader") {
      gate.enter()
      passed.give(())
      gate.leave()
    }
    #expect(passed.count == 0)
    isOver.change { $0 = true }
    try passed.value()
    closer.join()
    reader.join()
  }

  @Test func `the age counts from the oldest deletion until the log is empty of it, whatever is deleted later`() {
    var remains = DeletionRemains()
    remains.noteDeletion(at: 10)
    remains.noteDeletion(at: 20)
    let begun = remains.begin()
    remains.noteDeletion(at: 30)
    remains.erased(begun)
    #expect(remains.oldestInLog == 10 && remains.hasTombstones && remains.oldest == 10)
    remains.emptied(10)
    #expect(remains.oldest == 30 && remains.age(at: 45) == 15)
    remains.erased(remains.begin())
    remains.emptied(30)
    #expect(remains.oldest == nil && remains.age(at: 99) == 0)
  }
}
