import CairnJournal
import CairnTesting
import Testing

@testable import CairnSQLite

@Suite struct `Damaged rows of rollouts` {
  @Test(arguments: [
    ("body = replace(body, '\"rate\":1', '\"rate\":2')", ["b"]), ("body = 'x'", ["b"]), ("version = 7", ["b"]),
    ("app = 'c'", ["c", "b"]), ("kind = 'garbage'", ["b"]), ("name = 'x'", ["b"]),
  ])
  func `a damaged row is reported beside the others, and a new rollout replaces it`(change: String, damaged: [String]) throws {
    let database = try TemporaryDatabase()
    let journal = try database.open()
    defer { journal.close() }
    func rollout(_ app: String) -> Rollout {
      Rollout(app: app, from: "old", to: "new", moment: nil, rate: 1, isDryRun: false, since: 5, author: "eve")
    }
    for app in ["a", "b"] { try journal.documents.keep(rollout(app), after: 0) }
    try database.change("UPDATE documents SET \(change) WHERE app = 'b'")
    let found = try journal.documents.rollouts()
    #expect(found.intact == [rollout("a")])
    #expect(found.damaged.map(\.app) == damaged)
    for fault in found.damaged {
      #expect(throws: JournalError.self) { try found.rollout(of: fault.app) }
      try journal.documents.keep(RolloutChange(rollout(fault.app), after: fault.version).rollout, after: fault.version)
    }
    #expect(try journal.documents.rollouts().damaged == [])
  }
}
