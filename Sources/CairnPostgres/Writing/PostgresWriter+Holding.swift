import CairnCore
import CairnRuntime
import CairnJournal

// Locks a session for a short time, so that no other node can change it.
extension PostgresWriter {
  /// The time in milliseconds within which a session must be locked, and for which the transaction that holds the lock may be idle. The
  /// server ends a transaction that is idle for longer.
  static let holdTime = 2_000

  func holding(_ session: String, _ body: () -> Void) throws(JournalError) {
    let deadline = Monotonic.deadline(after: .milliseconds(Self.holdTime))
    do throws(PostgresError) {
      try holder.script("BEGIN; SET LOCAL idle_in_transaction_session_timeout = \(Self.holdTime)", until: deadline)
      var parameters = Parameters()
      let id = parameters.add(session)
      _ = try holder.run(
        "SELECT FROM @heads h JOIN @sessions s ON s.number = h.session WHERE s.id = \(id)::text FOR NO KEY UPDATE OF h", parameters,
        until: deadline)
    } catch {
      holder.close()
      throw JournalError(database.lockWaits.ended(error))
    }
    database.writing.withLock { $0.isHolding = true }
    body()
    database.writing.withLock { writing in
      writing.isHolding = false
      // The transaction is ended here if `body` committed nothing.
      if !holder.isIdle, (try? holder.run("ROLLBACK", until: Monotonic.deadline(after: ConnectionPool.timeout))) == nil { holder.close() }
    }
  }
}
