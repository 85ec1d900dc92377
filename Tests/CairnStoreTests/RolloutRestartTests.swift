import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Rollouts after a restart` {
  @Test func `a rollout that was interrupted goes on where it was, and moves each session once`() throws {
    let journal = MemoryJournal()
    var bench = try StoreBench(journal)
    for number in 1...100 { try bench.create("s\(number)") }
    try bench.create("other", definition: Trial.pinned("trial2"))
    let stored = StoredMigration(app: "trial", from: "hash-of-trial", to: "hash-of-trial2", document: "{}", since: 0, author: nil)
    let kept: Result<Void, StoreFault> = try awaiting { bench.store.releases.keep(stored, reply: $0) }
    _ = try kept.get()
    let rollout = Rollout(
      app: "trial", from: "hash-of-trial", to: "hash-of-trial2", moment: .now, rate: 40, isDryRun: false, since: 1, author: "eve")
    let begun: Result<Rollout, StoreFault> = try awaiting { bench.store.releases.keep(rollout, after: 0, reply: $0) }
    _ = try begun.get()
    try wait(for: "the first sessions") { try bench.session("s1").definition.hash == "hash-of-trial2" }
    bench.store.stop()
    journal.reopen()
    bench = try StoreBench(journal)
    defer { bench.store.stop() }
    #expect(try bench.session("s100").definition.hash == "hash-of-trial")
    try wait(for: "the end") { bench.store.releases.rollouts["trial"]?.state == .done }
    for number in 1...100 {
      let session = try bench.session("s\(number)")
      #expect(session.definition.hash == "hash-of-trial2" && session.state.revision == 2)
    }
  }
}
