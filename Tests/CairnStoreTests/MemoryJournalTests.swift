import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Journal in memory` {
  @Test(arguments: JournalContract.cases) func `a journal in memory keeps the contract`(_ promise: JournalContract.Case) throws {
    try promise.run(MemoryJournal())
  }

  @Test(arguments: TwoStores.cases) func `a journal in memory serves two stores at once`(_ trial: TwoStores.Case) throws {
    try trial.run(on: MemoryJournal(isExclusive: false))
  }
}
