import CairnSQLite
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Journal on SQLite` {
  @Test(arguments: JournalContract.cases) func `a journal on SQLite keeps the contract`(_ promise: JournalContract.Case) throws {
    let database = try TemporaryDatabase()
    let journal = try database.open()
    defer { journal.close() }
    try promise.run(journal)
  }

  @Test(arguments: TwoStores.cases) func `serves two stores at once`(_ trial: TwoStores.Case) throws {
    let database = try TemporaryDatabase()
    let journal = try database.open()
    defer { journal.close() }
    try trial.run(on: journal)
  }
}
