import CairnCore
import CairnJournal
import CairnRuntime
import CairnTesting
import Testing

@testable import CairnStore

@Suite(.tags(.timing), .ownThreads) struct `Ending many sessions` {
  let journal = MemoryJournal()

  private func end(_ query: SessionQuery, on bench: StoreBench) throws -> Ended {
    try awaiting { bench.store.end(query, reply: $0) }.get()
  }

  @Test func `sessions that match the filter are deleted, and no others`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    for number in 0..<200 { try bench.create("s\(number)", label: number % 2 == 0 ? "test" : "real") }
    #expect(try end(SessionQuery(label: "test", limit: 1_000), on: bench) == Ended(count: 100))
    #expect(try bench.sessions(limit: 1_000).sessions.allSatisfy { $0.label == "real" })
    #expect(bench.store.figures.sessions == 100)
    #expect(try end(SessionQuery(label: "test", limit: 1_000), on: bench) == Ended(count: 0))
  }

  @Test func `one request deletes a bounded number of sessions in several commits, and the response contains the next cursor`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    for number in 0..<250 { try bench.create("s\(number)") }
    var query = SessionQuery(app: "trial", limit: 100)
    let first = try end(query, on: bench)
    #expect(first.count == 100 && first.next != nil)
    #expect(journal.batches.allSatisfy { $0.deletions.count <= 64 })
    query.after = nil
    query.limit = 1_000
    #expect(try end(query, on: bench) == Ended(count: 150))
  }

  @Test func `timers of deleted sessions are cancelled`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.step("ring"), to: "a")
    try wait(until: { bench.store.figures.nextDue != nil })
    #expect(try end(SessionQuery(app: "trial", limit: 10), on: bench).count == 1)
    try wait(until: { bench.store.figures.nextDue == nil })
  }

  @Test func `sessions that a failing journal could not delete are reported as a fault`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    journal.fail(with: .full)
    #expect(throws: StoreFault.self) { try end(SessionQuery(app: "trial", limit: 10), on: bench) }
    journal.fail(with: nil)
    #expect(try bench.session("a").id == "a")
  }
}

@Suite(.tags(.timing), .ownThreads) struct `Expired sessions` {
  let journal = MemoryJournal()
  let clock = ManualClock()

  private func bench(ttl: Int?) throws -> StoreBench {
    try StoreBench(journal, clock: clock, limits: StoreLimits(sessionTTL: ttl))
  }

  private func waitUntilGone(_ ids: String..., on bench: StoreBench) throws {
    try wait(until: { ids.allSatisfy { (try? bench.session($0)) == nil } })
  }

  @Test func `sessions expire a TTL after their last change, are deleted like others, and newer sessions stay`() throws {
    let bench = try bench(ttl: 1_000)
    defer { bench.store.stop() }
    for id in ["a", "b"] { try bench.create(id) }
    clock.advance(by: 600)
    try bench.post(Trial.page(1), to: "b")
    #expect(try bench.session("b").expiresAt(1_000) == clock.now() + 1_000)
    clock.advance(by: 500)
    try waitUntilGone("a", on: bench)
    #expect(journal.traces(of: "a").isEmpty)
    #expect(try bench.session("b").pages == [0, 1])
    clock.advance(by: 600)
    try waitUntilGone("b", on: bench)
    try wait(until: { bench.store.figures.expired == 2 })
    #expect(bench.store.figures.sessions == 0)
  }

  @Test func `the TTL of a definition overrides the setting for its sessions`() throws {
    let bench = try bench(ttl: 500)
    defer { bench.store.stop() }
    try bench.create("long", definition: Trial.pinned("long", ttl: 90_000))
    try bench.create("short")
    clock.advance(by: 600)
    try waitUntilGone("short", on: bench)
    #expect(try bench.session("long").id == "long")
    clock.advance(by: 90_000)
    try waitUntilGone("long", on: bench)
  }

  @Test func `a session whose client may be offline lives as long as the client may have work`() throws {
    let bench = try bench(ttl: nil)
    defer { bench.store.stop() }
    let plain = Trial.pinned("offline", ttl: 1_000)
    var definition = plain.definition
    definition.offlineFor = 5_000
    let pinned = PinnedDefinition(hash: plain.hash, text: plain.text, definition: definition)
    for id in ["a", "b"] { try bench.create(id, definition: pinned) }
    try bench.post(.action(.contact), numberedFrom: 1, of: "client-of-twenty-two-x", to: "a")
    #expect(try bench.session("a").expiresAt(nil) == clock.now() + 5_000)
    #expect(try bench.session("b").expiresAt(nil) == clock.now() + 1_000)
    clock.advance(by: 1_500)
    try waitUntilGone("b", on: bench)
    #expect(try bench.session("a").id == "a")
    clock.advance(by: 4_000)
    try waitUntilGone("a", on: bench)
  }

  @Test func `no session expires without a setting`() throws {
    let bench = try bench(ttl: nil)
    defer { bench.store.stop() }
    try bench.create("a")
    clock.advance(by: .max / 2)
    try bench.create("b")
    #expect(try bench.session("a").expiresAt(nil) == nil)
    #expect(bench.store.figures.sessions == 2)
  }

  @Test func `sessions that expired while the service was down end at the next start`() throws {
    let first = try bench(ttl: 1_000)
    try first.create("a")
    first.store.stop()
    journal.reopen()
    clock.advance(by: 5_000)
    let bench = try bench(ttl: 1_000)
    defer { bench.store.stop() }
    try waitUntilGone("a", on: bench)
  }

  @Test func `the TTL of a session on a manual clock counts from its creation`() throws {
    let bench = try bench(ttl: 10_000)
    defer { bench.store.stop() }
    try bench.create("a", creation: Creation(manualClock: true))
    try bench.post(.advance(by: 50_000), to: "a")
    #expect(try bench.session("a").expiresAt(10_000) == clock.now() + 10_000)
    clock.advance(by: 10_000)
    try waitUntilGone("a", on: bench)
  }

  @Test func `a session that a client has used since the list was read is not deleted`() throws {
    let bench = try bench(ttl: nil)
    defer { bench.store.stop() }
    try bench.create("a")
    // As if the list of expired sessions had been read before the client used the session again.
    let ended = try awaiting { reply in
      Ending(SessionQuery(limit: 10), isExpiry: true, bench.store.parts, bench.store.readers, reply).goOn()
    }
    #expect(try ended.get() == Ended(count: 0))
    #expect(try bench.session("a").id == "a")
  }
}
