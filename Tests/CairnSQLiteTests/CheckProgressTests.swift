import CairnJournal
import CairnTesting
import Testing

@testable import CairnSQLite

@Suite struct `The progress of a check` {
  @Test func `a check reports before each session how many sessions it has checked`() throws {
    let database = try TemporaryDatabase()
    let journal = try database.open()
    let bench = try StoreBench(journal)
    for id in ["a", "b", "c"] { try bench.create(id) }
    var counts: [Int] = []
    let check = try JournalCheck(journal, opensSecrets: true, progress: { counts.append($0) }, definitions: { try Trial.read($0) })
    #expect(counts == [0, 1, 2] && check.sessions == 3 && check.faults == [])
    counts = []
    let whole = try DatabaseCheck(
      journal, opensSecrets: true, progress: { counts.append($0) }, definitions: { try Trial.read($0) })
    #expect(counts == [0, 1, 2] && whole.sessions == 3)
  }
}
