import CairnJournal
import CairnSQLite
import CairnServer
import CairnStore
import Foundation

#if canImport(CairnPostgres)
  import CairnPostgres
#endif

/// Opens the database of the settings. A SQLite database is opened read-only if its disk cannot be written.
struct DatabaseOpening {
  private let configuration: Configuration

  init(_ configuration: Configuration) { self.configuration = configuration }

  /// Opens the journal. The database is created if it does not exist. `report` is called on the calling thread and on the journal's
  /// threads.
  func journal(_ report: @escaping @Sendable (StoreEvent) -> Void) throws(StartFailure) -> any Journal {
    configuration.usesPostgres ? try postgres(report) : try sqlite(report)
  }

  #if canImport(CairnPostgres)
    /// The PostgreSQL database of the settings.
    var target: PostgresTarget {
      get throws(StartFailure) {
        do {
          return try PostgresTarget(
            configuration.database, from: configuration.databaseURLFile, schema: configuration.databaseSchema,
            isPrepared: configuration.databasePrepared)
        } catch {
          throw .tool("\(error)")
        }
      }
    }

    /// The PostgreSQL database with the list of erasures; `nil` if the list is in the database of the settings.
    var erasures: PostgresTarget? {
      get throws(StartFailure) {
        guard let file = configuration.erasuresURLFile else { return nil }
        let text = (try? String(contentsOfFile: file, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        guard PostgresTarget.isURL(text) else {
          throw .tool(
            "\(file) (erasuresURLFile): the file cannot be read or does not contain the URL of a PostgreSQL database, such as "
              + "postgres://user@host:port/database")
        }
        do {
          return try PostgresTarget(
            text, from: file, schema: configuration.databaseSchema, isPrepared: configuration.databasePrepared)
        } catch {
          throw .tool("\(file) (erasuresURLFile): \(error)")
        }
      }
    }
  #endif

  /// Returns a line that describes the PostgreSQL database. Does not create the database or its tables.
  func postgresOutlook() throws(StartFailure) -> String {
    #if canImport(CairnPostgres)
      let (target, erasures) = (try target, try erasures)
      _ = try keys()
      do {
        return "\(target.name): \(try PostgresJournal.outlook(target, erasures: erasures, acceptsLoss: configuration.acceptsLoss))"
      } catch {
        throw .tool("\(error)")
      }
    #else
      throw Self.noPostgres
    #endif
  }

  /// Opens the journal on PostgreSQL. The tables are created if they do not exist.
  private func postgres(_ report: @escaping @Sendable (StoreEvent) -> Void) throws(StartFailure) -> any Journal {
    #if canImport(CairnPostgres)
      let target = try target
      let erasures = try erasures
      let keys = try keys()
      do {
        return try PostgresJournal(
          target, keys: keys, acceptsLoss: configuration.acceptsLoss, isSignaling: configuration.databaseSignals,
          readers: configuration.store.readers + 2, version: Version.text, erasures: erasures, log: report)
      } catch {
        throw .tool("\(error)")
      }
    #else
      throw Self.noPostgres
    #endif
  }

  private func sqlite(_ report: @escaping @Sendable (StoreEvent) -> Void) throws(StartFailure) -> SQLiteJournal {
    let path = configuration.database
    do {
      try SQLiteJournal.prepare(path, acceptsLoss: configuration.acceptsLoss)
    } catch {
      return try reading(report, insteadOf: error)
    }
    let keys = try keys()
    do {
      return try SQLiteJournal(
        path: path, keys: keys, acceptsLoss: configuration.acceptsLoss, readers: configuration.store.readers + 2, log: report)
    } catch {
      return try reading(report, insteadOf: error)
    }
  }

  static let noPostgres = StartFailure.tool(
    "this build of Cairn does not support PostgreSQL; install libpq-dev (scripts/install-needed does), and build it again")

  /// The secret keys, the newest first.
  func keys() throws(StartFailure) -> [[UInt8]] {
    // On PostgreSQL there is no key file beside the database, and all nodes need the same key.
    guard configuration.secretKey != nil || !configuration.usesPostgres else {
      throw .tool(
        "on PostgreSQL the secret key must be set for every node: CAIRN_SECRET_KEY, the key of the other nodes or, for a new database, "
          + "base64 of 32 bytes (openssl rand -base64 32)")
    }
    do {
      return try KeyFile.keys(setting: configuration.secretKey, database: configuration.database)
    } catch {
      throw .key(error)
    }
  }

  /// Opens the database read-only if `error`, with which a normal open failed, is due to a disk that cannot be written. Otherwise throws
  /// `error`.
  private func reading(
    _ report: @escaping @Sendable (StoreEvent) -> Void, insteadOf error: SQLiteJournalError
  ) throws(StartFailure) -> SQLiteJournal {
    guard error.mayBeTheDisk, let reason = Disk.hindrance(at: configuration.database) else { throw .journal(error) }
    let keys = try keys()
    do {
      let journal = try SQLiteJournal(readingOnly: configuration.database, keys: keys, readers: configuration.store.readers + 2)
      report(.readingOnly(reason: "\(configuration.database): \(reason)"))
      return journal
    } catch {
      throw .journal(error)
    }
  }
}
