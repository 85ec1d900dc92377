import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

/// Tests of the stored responses to requests with an idempotency key.
@Suite(.tags(.timing), .ownThreads) struct `Responses in the database` {
  let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  private static func key(_ number: Int) -> RequestKey {
    let bytes = withUnsafeBytes(of: (UInt64(number) &* 0x9E37_79B9_7F4A_7C15).bigEndian, Array.init)
    return RequestKey(name: Fingerprint(bytes), print: Fingerprint(bytes))
  }

  private func rows(_ journal: SQLiteJournal) throws -> Int {
    try journal.database.pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM responses") ?? 0 }
  }

  @Test func `responses that were sent before a crash are repeated after it`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    let created = try bench.createOnce("a", print: Fingerprint([1]))
    let first = try bench.postOnce(Trial.page(1), to: "a", key: Self.key(1))
    let refused = try bench.postOnce(Trial.nonsense, to: "a", key: Self.key(2))
    let left = try database.crashed()
    let again = try StoreBench(try left.open())
    defer { again.store.stop() }
    #expect(try again.postOnce(Trial.page(1), to: "a", key: Self.key(1)).content == first.content)
    #expect(try again.postOnce(Trial.nonsense, to: "a", key: Self.key(2)).content == refused.content)
    #expect(try again.createOnce("a", print: Fingerprint([1])).content == created.content)
    #expect(try again.session("a").state.revision == 2)
  }

  @Test func `a session whose last requests were rejected keeps its revision and timers, after a stop and after a crash`() throws {
    do {
      let bench = try StoreBench(try database.open())
      try bench.create("a")
      try bench.post(Trial.step("sleep"), to: "a")
      bench.store.stop()
    }
    let bench = try StoreBench(try database.open())
    defer { bench.store.stop() }
    try bench.postOnce(Trial.nonsense, to: "a", key: Self.key(1))
    let left = try database.crashed()
    let again = try StoreBench(try left.open())
    defer { again.store.stop() }
    #expect(try again.session("a").state.revision == 2)
    again.clock.advance(by: 2_000)
    try again.settle()
    #expect(try again.session("a").pages == [0, 100])
  }

  @Test func `with any number of keys per session, little more than a thousand rows are kept`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    for number in 0..<3_000 {
      bench.store.post(Post(.commands([Trial.nonsense]), to: "a"), once: StoreBench.once(Self.key(number))) { _ in }
    }
    try bench.settle()
    let count = try rows(journal)
    #expect(count >= KeptAnswer.limit && count < KeptAnswer.limit + 640)
  }

  @Test func `a request without a key writes no row`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.page(1), to: "a")
    #expect(try rows(journal) == 0)
  }

  @Test func `a deletion removes the rows, and leaves a hash of a keyed creation`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    let id = "s-to-look-for-in-the-file"
    try bench.createOnce(id, print: Fingerprint([1]))
    for number in 0..<200 { try bench.postOnce(Trial.page(number), to: id, key: Self.key(number)) }
    try bench.delete(id)
    journal.sweeper.finish(until: TestTimeout.deadline)
    #expect(try rows(journal) == 1)
    bench.store.stop()
    for text in [id, "performed", "[0, 0"] { #expect(try database.bytes().range(of: Data(text.utf8)) == nil, "\(text)") }
  }

  @Test func `the derivation key survives a restart, and is not stored in clear`() throws {
    let key = try {
      let journal = try database.open()
      defer { journal.close() }
      return journal.derivationKey
    }()
    let bytes = try database.bytes()
    #expect(bytes.range(of: Data(key)) == nil && bytes.range(of: Data(Data(key).base64EncodedString().utf8)) == nil)
    let journal = try database.open()
    defer { journal.close() }
    #expect(journal.derivationKey == key)
    let other = try TemporaryDatabase().open()
    defer { other.close() }
    #expect(other.derivationKey != key)
  }
}
