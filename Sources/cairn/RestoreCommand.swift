import ArgumentParser
import CairnRuntime
import CairnSQLite

/// `cairn restore FILE`: replaces the database by a backup.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replaces the database by a backup; the service must not run.",
    discussion: """
      The backup is checked first. An existing database is kept, unless --force moves it to <database>.replaced. Changes \
      acknowledged after the backup are lost; the mark beside the database is set to what the backup holds. Sessions that are listed in \
      <database>.erasures are erased again: keep that file, but not in the backup. The secret key has to \
      be the one that the backup was made with: put it beside the database, or set CAIRN_SECRET_KEY.

      Exits with 0 if the database is restored, else with 1 and everything as it was.
      """)

  @Argument(help: ArgumentHelp("The backup.", valueName: "file"))
  var file: String

  @Flag(help: "Moves an existing database aside.")
  var force = false

  @OptionGroup var option: DatabaseOption

  func run() throws {
    // Signals are checked only between two steps, so that no partial file is left behind.
    ProcessSignals.block()
    do {
      let configuration = try option.configuration()
      let database = configuration.database
      let keys = try KeyFile.known(setting: configuration.secretKey, database: database)
      let report = try Backup.restore(file, to: database, replacing: force, keys: keys) { ProcessSignals.arePending }
      Terminal.print("\(database): \(report.text)")
      if report.erased > 0 {
        Terminal.print("\(report.erased) sessions that were deleted after the backup are erased from it again")
      }
      if report.forgotten > 0 {
        Terminal.print("\(report.forgotten) sessions whose history was forgotten after the backup have forgotten it again")
      }
      if let replaced = report.replaced {
        Terminal.print(
          "\(replaced): the previous database, with all sessions deleted since the backup; delete it when you no longer need it")
      }
      if keys == nil {
        Terminal.print("put its key at \(KeyFile.path(database)), or set CAIRN_SECRET_KEY, before the service is started")
      }
    } catch let failure as StartFailure {
      throw fail(failure.text)
    } catch let fault as KeyFile.Fault {
      throw fail("\(fault)")
    } catch let fault as BackupFault {
      throw fail("\(fault)")
    }
  }
}
