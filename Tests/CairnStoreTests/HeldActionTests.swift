import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

private let client = "client-of-twenty-two-x"
private let removal = Command.action(.settled(.gesture(.popToRoot, from: nil)))
private let offlineFor = 14 * 86_400_000

/// Actions of operators that the store holds for the clients of a session.
@Suite(.tags(.timing), .ownThreads) struct `Held actions` {
  let journal = MemoryJournal()
  let clock = ManualClock()

  private func bench() throws -> StoreBench { try StoreBench(journal, clock: clock) }

  /// A session in which a client has pushed a page, and an operator's action waits for it.
  private func held(_ bench: StoreBench) throws {
    try bench.create("a")
    try bench.post(Trial.page(1), numberedFrom: 1, of: client, to: "a")
    try bench.post(removal, to: "a")
    #expect(try bench.session("a").pages == [0, 1] && bench.session("a").state.heldActions.count == 1)
  }

  @Test func `are performed at their deadline`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try held(bench)
    clock.advance(by: offlineFor)
    try wait(until: { (try? bench.session("a").pages) == [0] })
    #expect(try bench.session("a").state.heldActions == [])
  }

  @Test func `are performed after a restart, by the contact of their client`() throws {
    let first = try bench()
    try held(first)
    first.store.stop()
    journal.reopen()
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.page(2), .action(.contact), numberedFrom: 2, of: client, to: "a")
    #expect(try bench.session("a").pages == [0] && bench.session("a").state.heldActions == [])
    #expect(try bench.history(of: "a").items.count == 5)
  }

  @Test func `are performed after a restart if their deadline has passed while the service was down`() throws {
    let first = try bench()
    try held(first)
    first.store.stop()
    journal.reopen()
    clock.advance(by: offlineFor + 1)
    let bench = try bench()
    defer { bench.store.stop() }
    try wait(until: { (try? bench.session("a").pages) == [0] })
  }
}
