import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Journal in memory` {
  @Test(arguments: JournalContract.cases) func `a journal in memory keeps the contract`(_ promise: JournalContract.Case) throws {
    try promise.run(MemoryJournal())
  }
}
