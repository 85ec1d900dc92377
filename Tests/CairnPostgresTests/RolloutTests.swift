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
    #expect(try killed.cluster.claim(.rollout, for: 86_400_000))
    let bench = try StoreBench(try schema.open())
    defer { bench.store.stop() }
    for number in 1...3 { try bench.create("s\(number)") }
    try bench.keep(Trial.migration(from: Trial.pinned(), to: Trial.second()))
    _ = try awaiting { bench.store.releases.keep(Self.rollout, after: 0, reply: $0) }.get()
    try wait(for: "the end") { bench.store.releases.rollouts["trial"]?.state == .done }
    #expect(try !killed.cluster.claim(.rollout, for: 1_000), "the node that goes on keeps the claim")
    #expect(try bench.session("s3").definition.hash == Trial.second().hash)
  }

  @Test func `a node claims the rollouts for some seconds only, and again while it rests`() throws {
    let schema = try TemporarySchema()
    let bench = try StoreBench(try schema.open())
    defer { bench.store.stop() }
    for number in 1...40 { try bench.create("s\(number)") }
    try bench.keep(Trial.migration(from: Trial.pinned(), to: Trial.second()))
    var slow = Self.rollout
    // The first step moves 32 sessions. At this rate the next step begins 32 seconds later.
    slow.rate = 1
    _ = try awaiting { bench.store.releases.keep(slow, after: 0, reply: $0) }.get()
    try wait(for: "the first step") { try bench.session("s32").definition.hash == Trial.second().hash }
    func claim() throws -> Int {
      let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
      let row = try schema.sql("SELECT until || ' ' || until - \(now) FROM @tasks WHERE name = 'rollout'").split(separator: " ")
      #expect(Int(row[1]) ?? .max <= 4_000, "another node waits as long for a node that was killed")
      return try #require(Int(row[0]))
    }
    let first = try claim()
    try wait(for: "another claim") { try claim() > first }
    #expect(try bench.session("s40").definition.hash == Trial.pinned().hash, "it still rests")
  }

  @Test func `a damaged row is reported beside the others, and a new rollout replaces it`() throws {
    let schema = try TemporarySchema()
    let journal = try schema.open()
    defer { journal.close() }
    var other = Self.rollout
    other.app = "other"
    for rollout in [Self.rollout, other] { try journal.documents.keep(rollout, after: 0) }
    try schema.sql("UPDATE @documents SET body = 'x' WHERE app = 'trial'")
    let found = try journal.documents.rollouts()
    #expect(found.intact == [other] && found.damaged.map(\.app) == ["trial"] && found.version(of: "trial") == 1)
    try journal.documents.keep(RolloutChange(Self.rollout, after: 1).rollout, after: 1)
    #expect(try journal.documents.rollouts().damaged == [])
  }

  @Test func `a damaged earlier edition does not hide the newest one`() throws {
    let schema = try TemporarySchema()
    let journal = try schema.open()
    defer { journal.close() }
    func edition(_ since: Int) -> Edition { Edition(app: "app", definition: "hash", since: since, author: "eve") }
    for since in [1, 2] { try journal.documents.publish([edition(since)], texts: ["hash": "text"]) }
    try schema.sql("UPDATE @documents SET name = 'p' || substr(name, 2) WHERE name LIKE '%1'")
    #expect(try journal.documents.editions().damaged == [:])
    #expect(try journal.documents.editions().intact == [edition(2)])
    try journal.documents.publish([edition(3)], texts: [:], after: ["app": edition(2)])
    #expect(try journal.documents.editions(of: "app") == [edition(2), edition(3)])
  }

  @Test func `a damaged count of the documents is replaced at the next change`() throws {
    let schema = try TemporarySchema()
    let journal = try schema.open()
    defer { journal.close() }
    try journal.documents.keep(Self.rollout, after: 0)
    try schema.sql("UPDATE @settings SET value = '\\xff00' WHERE name = 'rows of documents'")
    #expect(try journal.missingRows().count == 1)
    var other = Self.rollout
    other.app = "other"
    try journal.documents.keep(other, after: 0)
    #expect(try journal.missingRows() == [])
  }
}
