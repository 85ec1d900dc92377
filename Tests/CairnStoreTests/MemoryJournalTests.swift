import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Two stores in memory` {
  @Test(arguments: TwoStores.cases) func `a journal in memory serves two stores at once`(_ trial: TwoStores.Case) throws {
    try trial.run(on: MemoryJournal(isShared: true))
  }
}
