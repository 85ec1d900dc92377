@testable import CairnPostgres
import CairnPostgresTesting
import CairnRuntime
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Connections of the readers` {
  @Test func `a read waits while all connections are in use, and then reports that they are busy`() throws {
    let schema = try TemporarySchema()
    let pool = ConnectionPool(schema.target, count: 1)
    defer { pool.close() }
    let (isHeld, isReleased) = (Monitor(false), Monitor(false))
    let holder = try NamedThread("holder") {
      _ = try? pool.read(for: .seconds(60)) { (_, deadline) throws(PostgresError) in
        isHeld.change { $0 = true }
        return isReleased.wait(until: deadline) { $0 ? true : nil }
      }
    }
    let isTaken = isHeld.wait(until: Monotonic.deadline(after: .seconds(60))) { $0 ? true : nil }
    #expect(isTaken == true, "the connection was not taken")
    func fault() -> PostgresError? {
      do throws(PostgresError) {
        try pool.read(for: .milliseconds(1)) { (_, _) throws(PostgresError) in }
        return nil
      } catch {
        return error
      }
    }
    #expect(fault() == PostgresError(text: "all connections to PostgreSQL are busy"))
    isReleased.change { $0 = true }
    holder.join()
    #expect(fault() == nil)
    pool.close()
    #expect(fault()?.local == .closed)
  }
}
