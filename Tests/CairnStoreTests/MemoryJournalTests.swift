import CairnTesting
import Testing

@Suite struct `The journal in memory` {
  @Test(arguments: JournalContract.cases) func `keeps the contract`(_ promise: JournalContract.Case) throws {
    try promise.run(MemoryJournal())
  }
}
