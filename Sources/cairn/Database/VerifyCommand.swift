import ArgumentParser
import CairnDefinition
import CairnJournal
import CairnRuntime
import CairnSQLite
import Foundation

#if canImport(CairnPostgres)
  import CairnPostgres
#endif

/// `cairn verify [DATABASE]`: reports damage in a database or a backup, on SQLite or PostgreSQL.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks a database or a backup for damage.",
    discussion: """
      The service may run. Checks: pages and tables are consistent; every row matches its hash; the head of each session is its newest \
      entry; every definition can be read; each session's state follows from its entries (they are replayed if the engine is the same); \
      every secret can be decrypted. Writes nothing. On PostgreSQL, it does not check the pages (use pg_amcheck). There it checks instead \
      that the database was not replaced by an older copy, and that everything on the list of erasures has been erased.

      Exits with 0 if there is no damage, with 1 if there is, and with 2 if the check could not run.
      """)

  @Argument(
    help: ArgumentHelp(
      "A SQLite database or backup, or the URL of a PostgreSQL database. (default: the database of cairn serve)", valueName: "database"))
  var path: String?

  @Flag(help: "Does not check the secrets. Use it for a copy whose key is not available.")
  var withoutSecrets = false

  @Option(help: ArgumentHelp("Configuration file. (default: CAIRN_CONFIG; otherwise config/cairn.yaml if it exists)", valueName: "file"))
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
    let line = ProgressLine()
    defer { line.end() }
    if configuration.usesPostgres { return try lookAtPostgres(configuration, line) }
    let path = configuration.database
    // Without this check, a missing database would be reported as a missing key, because the key is a file beside the database.
    guard FileManager.default.fileExists(atPath: path) else { throw StartFailure.tool("\(path): does not exist") }
    var keys: [[UInt8]]?
    if !withoutSecrets {
      keys = try KeyFile.known(setting: configuration.secretKey, database: path)
      guard keys != nil else {
        throw StartFailure.tool(
          "\(KeyFile.path(path)): the secret key is missing; put it there, set CAIRN_SECRET_KEY, or use --without-secrets")
      }
    }
    let journal = try SQLiteJournal(inspecting: path, keys: keys)
    defer { journal.close() }
    return try VerifyReport(journal, path: path, opensSecrets: keys != nil, line)
  }

  /// The error of a PostgreSQL database that cannot be opened.
  private struct UnusableDatabase: Error { let text: String }

  private func lookAtPostgres(_ configuration: Configuration, _ line: ProgressLine) throws -> VerifyReport {
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
      return try VerifyReport(journal, name: target.name, opensSecrets: keys != nil, further: faults, line)
    #else
      throw DatabaseOpening.noPostgres
    #endif
  }
}
