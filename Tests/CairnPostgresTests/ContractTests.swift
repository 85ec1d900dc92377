import CairnPostgres
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Journal on PostgreSQL` {
  @Test(arguments: JournalContract.cases) func `a journal on PostgreSQL keeps the contract`(_ promise: JournalContract.Case) throws {
    let journal = try TemporarySchema().open()
    defer { journal.close() }
    try promise.run(journal)
  }
}

@Suite(.tags(.timing), .ownThreads) struct `Two nodes on PostgreSQL` {
  @Test(arguments: TwoStores.cases) func `serves two stores at once`(_ trial: TwoStores.Case) throws {
    let schema = try TemporarySchema()
    let (one, other) = (try schema.open(), try schema.open())
    defer {
      one.close()
      other.close()
    }
    try trial.run(on: one, other)
  }
}
