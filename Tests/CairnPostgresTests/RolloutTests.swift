import CairnJournal
import CairnPostgres
import CairnPostgresTesting
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Rollouts on PostgreSQL` {
  private static let rollout = Rollout(
    app: "trial", from: Trial.pinned().hash, to: Trial.second().hash, moment: .now, rate: 10_000, isDryRun: false, since: 1, author: "eve")

  @Test func `the node that receives an operation goes on at once with the rollouts of a node that was killed`() throws {
    let schema = try TemporarySchema()
    let killed = try schema.open()
    defer { killed.close() }
    #expect(try killed.claim(.rollout, for: 86_400_000))
    let bench = try StoreBench(try schema.open())
    defer { bench.store.stop() }
    for number in 1...3 { try bench.create("s\(number)") }
    try bench.keep(Trial.migration(from: Trial.pinned(), to: Trial.second()))
    _ = try awaiting { bench.store.releases.keep(Self.rollout, after: 0, reply: $0) }.get()
    try wait(for: "the end") { bench.store.releases.rollouts["trial"]?.state == .done }
    #expect(try !killed.claim(.rollout, for: 1_000), "the node that goes on keeps the claim")
    #expect(try bench.session("s3").definition.hash == Trial.second().hash)
  }

  @Test func `a damaged row is reported beside the others, and a new rollout replaces it`() throws {
    let schema = try TemporarySchema()
    let journal = try schema.open()
    defer { journal.close() }
    var other = Self.rollout
    other.app = "other"
    for rollout in [Self.rollout, other] { try journal.documents.keep(rollout, after: 0) }
    try schema.sql("UPDATE @rollouts SET content = 'x' WHERE app = 'trial'")
    let found = try journal.documents.rollouts()
    #expect(found.intact == [other] && found.damaged.map(\.app) == ["trial"] && found.version(of: "trial") == 1)
    try journal.documents.keep(RolloutChange(Self.rollout, after: 1).rollout, after: 1)
    #expect(try journal.documents.rollouts().damaged == [])
  }
}
