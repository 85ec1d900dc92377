import CairnRuntime
package import CairnStore
import GRDB

extension SQLiteJournal {
  /// Reads the first session from this id on, whether it is that one or the next: an id that is unknown takes the same steps as a known one, so
  /// that the time of a refusal does not tell which sessions exist.
  package func session(_ id: String, opens: (_ secretHash: [UInt8]?) -> Bool) throws(JournalError) -> SessionRecord? {
    try guarded {
      let head = heads.withLock { $0[id] }
      return try read { db in
        let found = try Prepared(db, "SELECT id, secret_hash FROM sessions WHERE id >= ? ORDER BY id LIMIT 1").bound(id).row {
          (id: $0.text(0), hash: $0.bytes(1))
        }
        return opens(found?.id == id ? found?.hash : nil) ? try self.record(id, head, db) : nil
      }
    }
  }
}
