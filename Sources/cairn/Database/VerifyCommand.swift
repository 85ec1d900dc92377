import ArgumentParser
import CairnDefinition
import CairnRuntime
import CairnSQLite
import CairnStore

#if canImport(CairnPostgres)
  import CairnPostgres
#endif

/// `cairn verify [DATABASE]`: reports damage in a database or a backup, on SQLite or PostgreSQL.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Looks whether a database or a backup is whole, also while the service runs.",
    discussion: """
      That its pages and its tables fit together; that every entry and every other row is what was written, by their hashes; that every \
      session stands at its newest entry; that every definition can be read; that every session's state is the one that its entries lead \
      to, run again where the engine is the same; that every secret opens. Nothing is written. On PostgreSQL the pages of the database are not looked \
      at; its tool pg_amcheck does that. There it also looks whether the database is older than it was, and whether everything on the list of \
      erasures is erased.

      Exits with 0 if it is whole, with 1 if something is damaged, with 2 if it could not be looked at.
      """)

  @Argument(help: ArgumentHelp("A database or a backup. (default: the database of cairn serve)", valueName: "database"))
  var path: String?

  @Flag(help: "Leaves the secrets closed: for a copy whose key is not at hand.")
  var withoutSecrets = false

  @Option(help: ArgumentHelp("Configuration file. (default: config/cairn.yaml if it is there; CAIRN_CONFIG)", valueName: "file"))
  var config: String?

  @Option(setting: "databaseSchema") var databaseSchema: String?

  func run() throws {
    let report: VerifyReport
    do {
      report = try look()
    } catch let failure as StartFailure {
      throw fail(failure.text, code: 2)
    } catch let fault as KeyFile.Fault {
      throw fail("\(fault)", code: 2)
    } catch let error as SQLiteJournalError {
      if case .corrupt = error { throw fail("\(error)") }
      throw fail("\(error)", code: 2)
    } catch let error as UnusableDatabase {
      throw fail(error.text, code: 2)
    } catch let error as JournalError {
      throw fail("\(error)", code: 2)
    }
    for line in report.faults { Terminal.print(line) }
    Terminal.print(report.summary)
    if !report.faults.isEmpty { throw ExitCode(1) }
  }

  private func look() throws -> VerifyReport {
    var option = DatabaseOption()
    option.database = path
    option.config = config
    let configuration = try option.read(schema: databaseSchema)
    if configuration.usesPostgres { return try lookAtPostgres(configuration) }
    let path = configuration.database
    var keys: [[UInt8]]?
    if !withoutSecrets {
      keys = try KeyFile.known(setting: configuration.secretKey, database: path)
      guard keys != nil else {
        throw StartFailure.tool(
          "\(KeyFile.path(path)): the secret key is not there; put it there, set CAIRN_SECRET_KEY, or verify --without-secrets")
      }
    }
    let journal = try SQLiteJournal(inspecting: path, keys: keys)
    defer { journal.close() }
    return try VerifyReport(journal, path: path, opensSecrets: keys != nil)
  }

  /// The database cannot be opened.
  private struct UnusableDatabase: Error { let text: String }

  private func lookAtPostgres(_ configuration: Configuration) throws -> VerifyReport {
    #if canImport(CairnPostgres)
      let opening = DatabaseOpening(configuration)
      let target = try opening.target
      let keys = withoutSecrets ? nil : try opening.keys()
      let journal: PostgresJournal
      do {
        journal = try PostgresJournal(target, keys: keys, for: .inspection, erasures: try opening.erasures)
      } catch let error as PostgresJournalError {
        throw UnusableDatabase(text: "\(error)")
      }
      defer { journal.close() }
      let faults = try journal.outstandingErasures().faults + journal.missingRows()
      return try VerifyReport(journal, name: target.name, opensSecrets: keys != nil, further: faults)
    #else
      throw DatabaseOpening.noPostgres
    #endif
  }
}
