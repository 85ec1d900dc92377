package import CairnStore
import GRDB

extension SQLiteJournal {
  /// Reads the first session from this id on, whether it is that one or the next. An unknown id takes the same steps as a known one, so
  /// that the time of a refusal does not reveal which sessions exist.
  package func secretHash(of id: String) throws(JournalError) -> [UInt8]? {
    let found: (id: String, hash: [UInt8])? = try guarded {
      try read { db in
        try Prepared(db, "SELECT id, secret_hash FROM sessions WHERE id >= ? ORDER BY id LIMIT 1").bound(id).row {
          ($0.text(0), $0.bytes(1))
        }
      }
    }
    guard let found, found.id == id else { return nil }
    return found.hash
  }
}
