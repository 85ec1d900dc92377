import CairnPostgres
import CairnPostgresTesting
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

@Suite(.tags(.timing), .ownThreads) struct `Nodes behind PgBouncer` {
  @Test func `a journal behind a pooler in transaction mode keeps the contract, and serves two stores at once`() throws {
    let pooler = try Pooler()
    for promise in JournalContract.cases {
      let journal = try TemporarySchema(through: pooler).open()
      defer { journal.close() }
      try promise.run(journal)
    }
    for trial in TwoStores.cases {
      let schema = try TemporarySchema(through: pooler)
      let (one, other) = (try schema.open(), try schema.open())
      defer {
        one.close()
        other.close()
      }
      try trial.run(on: one, other)
    }
  }
}
