import ArgumentParser
import CairnCore
import CairnRuntime
import CairnSQLite

#if canImport(CairnPostgres)
  import CairnPostgres
#endif

/// `cairn restore FILE`: replaces the database with a backup. `cairn restore --erasures`: repeats erasures after a restore of PostgreSQL.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replaces the database with a backup.",
    discussion: """
      The service must not run. Checks the backup first, like cairn verify. It also checks, with the limits of the settings, whether the \
      service would accept its definitions in a PUT and its sessions in an import. Any finding is printed and prevents the restore, \
      unless --accept-findings is given. An existing database is not replaced unless --force moves it to <database>.replaced. Changes \
      acknowledged after the backup are lost; <database>.mark, the record of the newest entry, is set to the newest entry of the backup. \
      Sessions that are listed in <database>.erasures are erased again, so keep that file separately from the backup. The secret key must \
      be the key of the backup: put it beside the database, or set CAIRN_SECRET_KEY.

      Restore a PostgreSQL database with its own tools. Then --erasures, without a file, deletes and forgets again everything that the \
      list of erasures names; every start of a node does this too.

      Exits with 0 if the database is restored, else with 1 and without a change. With --erasures, exits with 1 also if the history of a \
      session cannot be read and so is not forgotten again.
      """)

  @Argument(help: ArgumentHelp("The backup.", valueName: "file"))
  var file: String?

  @Flag(help: "Deletes and forgets again, without a file, what a restore of a PostgreSQL database has brought back.")
  var erasures = false

  @Flag(help: "Moves an existing database to <database>.replaced.")
  var force = false

  @Flag(help: "Restores a backup even if the check has findings. The service refuses requests to damaged sessions.")
  var acceptFindings = false

  @OptionGroup var shared: SharedDatabaseOption

  func validate() throws {
    guard (file == nil) == erasures else { throw ValidationError("name either FILE, a backup of a SQLite database, or --erasures") }
  }

  func run() throws {
    if let file { try restore(file) } else { try eraseAgain() }
  }

  private func restore(_ file: String) throws {
    // Signals are checked only between two steps, so that no partial file is left behind.
    ProcessSignals.block()
    do {
      let configuration = try shared.option.configuration()
      let database = configuration.database
      let keys = try KeyFile.known(setting: configuration.secretKey, database: database)
      let check = IncomingCheck(configuration, opensSecrets: keys != nil)
      let report = try Backup.restore(
        file, to: database, replacing: force, keys: keys,
        check: { journal, isWanted in try check.findings(in: journal, while: isWanted) },
        acceptsFindings: acceptFindings
      ) { ProcessSignals.arePending }
      for line in report.findings { Terminal.complain(line) }
      Terminal.print("\(database): \(report.text)")
      if report.erased > 0 {
        Terminal.print("\(CountText.of(report.erased, "session")) deleted after the backup: erased again")
      }
      if report.forgotten > 0 {
        Terminal.print("\(CountText.of(report.forgotten, "history", plural: "histories")) forgotten after the backup: forgotten again")
      }
      if let replaced = report.replaced {
        Terminal.print(
          "\(replaced): the previous database, with all sessions deleted since the backup; delete it when you no longer need it")
      }
      if keys == nil {
        Terminal.print(
          "put the secret key of the backup at \(KeyFile.path(database)), or set CAIRN_SECRET_KEY, before you start the service")
      }
    } catch let failure as StartFailure {
      throw fail(failure.text)
    } catch let fault as KeyFile.Fault {
      throw fail("\(fault)")
    } catch let fault as BackupFault {
      if case .findings(_, let lines) = fault { for line in lines { Terminal.complain(line) } }
      throw fail("\(fault)")
    }
  }

  private func eraseAgain() throws {
    do throws(StartFailure) {
      let configuration = try shared.read()
      guard configuration.usesPostgres else {
        throw .tool("--erasures is for a PostgreSQL database; on a SQLite file, `cairn restore FILE` erases by itself")
      }
      #if canImport(CairnPostgres)
        let opening = DatabaseOpening(configuration)
        let (target, erasures, keys) = (try opening.target, try opening.erasures, try opening.keys())
        let found: RepeatedErasures
        do {
          found = try PostgresJournal.repeatErasures(target, keys: keys, erasures: erasures)
        } catch {
          throw .tool("\(error)")
        }
        let histories = CountText.of(found.forgotten, "history", plural: "histories")
        Terminal.print("\(target.name): \(CountText.of(found.deleted, "session")) deleted again, \(histories) forgotten again")
        if !found.unreadable.isEmpty {
          throw .tool(
            "the history of these sessions cannot be read, so it was not forgotten again: \(found.unreadable.joined(separator: ", "))")
        }
      #else
        throw DatabaseOpening.noPostgres
      #endif
    } catch {
      throw fail(error.text)
    }
  }
}
