import CairnCore
import CairnCrypto
import CairnJournal
import CairnRuntime
import GRDB

/// An open database, with the data that the parts of the journal share. Can be used on any thread.
final class SQLiteDatabase: Sendable {
  let path: String
  let pool: DatabasePool
  let secrets: SecretBox
  let heads: Lock<Heads>
  /// The entries of sessions that do not exist yet, by their places, which are the numbers of the sessions.
  let staged: Lock<[Int: EntryChain]>
  let hashKey: SipHash.Key
  let check: RowCheck
  /// Reads through `read` pass this gate, so that they do not prevent the log from being emptied. The short reads on `pool` do not pass it.
  let gate: ReadGate
  /// The reading connections; `nil` for a journal that only reads, which uses the readers of `pool`.
  let connections: ReadConnections?
  /// Empty node tables with the names of a definition, by the definition's hash. Sessions that are read share these names. The most recently used
  /// tables are kept, limited by the bytes of the definitions' texts.
  let tables = Lock(RecentlyUsed<String, NodeTable>(limit: 32 << 20))
  /// The number of rows of entries and snapshots that have been read.
  let rowsRead = Lock(0)

  init(
    _ pool: DatabasePool, at path: String, _ secrets: SecretBox, _ heads: Lock<Heads>, _ hashKey: SipHash.Key, gate: ReadGate,
    connections: ReadConnections?, staged: Lock<[Int: EntryChain]> = Lock([:])
  ) {
    self.path = path
    self.pool = pool
    self.secrets = secrets
    self.heads = heads
    self.staged = staged
    self.hashKey = hashKey
    check = RowCheck(hashKey)
    self.gate = gate
    self.connections = connections
  }

  /// Runs a read in one transaction, on a reading connection. Must not be called on the writer's thread, which would wait while the log is emptied.
  func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
    gate.enter()
    defer { gate.leave() }
    return try connections?.read(work) ?? pool.reading(work)
  }

  /// Runs work on the database and converts its errors to `JournalError`.
  func guarded<Result>(_ work: () throws -> Result) throws(JournalError) -> Result {
    do {
      return try work()
    } catch {
      throw Self.journalError(error)
    }
  }

  /// Converts an error of SQLite to a `JournalError`.
  static func journalError(_ error: any Error) -> JournalError {
    if let error = error as? JournalError { return error }
    guard let error = error as? DatabaseError else { return .io("\(type(of: error))") }
    let text = "\(error.message ?? "no details") (SQLite \(error.extendedResultCode.rawValue))"
    return switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
    case .SQLITE_FULL: .full
    case .SQLITE_READONLY, .SQLITE_PERM: .readOnly
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt(text)
    case .SQLITE_MISUSE: .closed
    default: .io(text)
    }
  }
}
