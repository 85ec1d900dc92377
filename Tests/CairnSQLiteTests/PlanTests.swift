import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

/// A store for sessions of random apps, with a database on disk, a stopped clock and a constant nonce.
private final class PlanBench: Sendable {
  let database: TemporaryDatabase
  let store: Store

  init() throws {
    database = try TemporaryDatabase()
    store = Store(
      journal: try database.open(), outbound: StubOutbound(), clock: ManualClock(), definitions: { try Self.pinned($0) }, nonce: { "nonce" }
    )
    try store.start()
  }

  deinit { store.stop() }

  static func pinned(_ seed: String) throws -> PinnedDefinition {
    guard let number = UInt64(seed) else { throw NeverCame() }
    return PinnedDefinition(hash: "hash-of-\(seed)", text: seed, definition: RandomDefinition.whole(seed: number))
  }

  /// The rows of the sessions, except for the tables that are written after the entries.
  func rows() throws -> [String] {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: database.path, configuration: configuration).read { db in
      try ["entries", "secrets", "responses", "definitions"].flatMap { table in
        try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
      }
    }
  }

  /// Returns `false` if the creation is rejected.
  func create(_ new: NewSession) throws -> Bool {
    let created: Result<Created, StoreFault> = try awaiting { store.create(new, reply: $0) }
    return (try? created.get()) != nil
  }

  func session(_ id: String) throws -> Session { try awaiting { store.session(id, reply: $0) }.get() }
  func plan(_ commands: [Command], _ id: String, matching: [Int]?) throws -> Planned {
    try awaiting { store.plan(commands, to: id, matching: matching?.map { RevisionTag($0) }, reply: $0) }.get()
  }
  func post(_ commands: [Command], _ id: String, matching: [Int]?) throws -> Result<Posted, StoreFault> {
    try awaiting { store.post(commands, to: id, matching: matching?.map { RevisionTag($0) }, reply: $0) }
  }
}

@Suite struct `Plans on SQLite` {
  @Test(arguments: 0..<4) func `a plan returns what the next post does, and writes nothing`(block: Int) throws {
    let bench = try PlanBench()
    var outcomes: [String: Int] = [:]
    for seed in (block * 1_000)..<(block * 1_000 + 12) {
      let id = "s\(seed)"
      // The service sends no requests, because a request that fails at once, for lack of a token, would change the session while the test
      // runs.
      let creation = Creation(manualClock: true, manualRequests: true)
      let new = NewSession(id: id, definition: try PlanBench.pinned("\(seed)"), secretHash: [1], creation: creation)
      guard try bench.create(new) else { continue }
      var chance = Chance(seed: UInt64(seed) &* 7919)
      for count in 0..<30 {
        let before = try bench.session(id)
        guard before.state.nodes.count < 100 else { break }
        let commands = (0..<(chance.isHeads(oneIn: 4) ? 3 : 1)).map { _ in command(&chance, for: before.state) }
        let matching = chance.isHeads(oneIn: 10) ? [before.state.revision - chance.below(2)] : nil
        let rows = try bench.rows()
        let planned = try bench.plan(commands, id, matching: matching)
        let after = try bench.session(id)
        try #require(after.state == before.state && after.updatedAt == before.updatedAt, "seed \(seed), \(count)")
        try #require(planned.session.state == before.state)
        try #require(try bench.rows() == rows, "seed \(seed), \(count)")
        let posted = try bench.post(commands, id, matching: matching)
        try #require(told(planned.result) == told(posted), "seed \(seed), \(count): \(commands)")
        outcomes[word(posted), default: 0] += 1
      }
    }
    #expect(Set(outcomes.keys).isSuperset(of: ["performed", "unchanged", "refused", "conflict"]), "\(outcomes)")
  }

  private func command(_ chance: inout Chance, for state: State) -> Command {
    switch chance.below(10) {
    case 0: .advance(by: chance.below(4_000))
    case 1: .token("a-token")
    case 2: .open(url: chance.pick(["x://to", "x://to/1", "x://to/a", "x://go", "y://"]))
    default: .action(RandomAction.whole(&chance, for: state))
    }
  }

  /// The complete response, and the resulting state.
  private struct Told: Equatable {
    var transitions: [Transition] = []
    var revisions: [Int] = []
    var state: State?
    var time: Int?
    var refusal: Refusal?
    var fault = ""
  }

  private func told(_ result: Result<Posted, StoreFault>) -> Told {
    switch result {
    case .success(let posted):
      Told(
        transitions: posted.performed.map(\.transition), revisions: posted.performed.map(\.revision), state: posted.session.state,
        time: posted.session.updatedAt)
    case .failure(.refused(let refusal, let index, let revision)): Told(refusal: refusal, fault: "\(index) \(revision)")
    case .failure(let fault): Told(fault: fault.word)
    }
  }

  private func word(_ result: Result<Posted, StoreFault>) -> String {
    switch result {
    case .success(let posted): posted.performed.last?.transition.outcome.rawValue ?? ""
    case .failure(.refused): "refused"
    case .failure(let fault): String(fault.word.prefix { $0 != " " })
    }
  }
}
