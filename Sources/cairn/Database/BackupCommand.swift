import ArgumentParser
import CairnRuntime
import CairnSQLite

/// `cairn backup FILE`: copies the database, even while the service runs.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copies the database into a file, while the service runs or not.",
    discussion: """
      The copy is the database as it was at one moment. It is made in small steps that give way to the service, checked, brought to the \
      disk and only then renamed to FILE, readable only for its owner. The secret key is not in it: keep <database>.key apart, and as \
      well; without it the tokens in the copy cannot be opened.

      Exits with 0 if the copy is there and whole, else with 1 and no file.
      """)

  @Argument(help: ArgumentHelp("The file to be written.", valueName: "file"))
  var file: String

  @Flag(help: "Replaces the file, if it is there.")
  var force = false

  @OptionGroup var option: DatabaseOption

  func run() throws {
    // Signals are checked only between two steps of the copy, so that no partial file is left behind.
    ProcessSignals.block()
    do {
      let database = try option.configuration().database
      let report = try Backup.make(of: database, to: file, replacing: force) { ProcessSignals.arePending }
      Terminal.print("\(file): \(report.text)")
    } catch let failure as StartFailure {
      throw fail(failure.text)
    } catch let fault as BackupFault {
      throw fail("\(fault)")
    }
  }
}

extension Backup.Report {
  /// A summary of the backup in one line.
  var text: String {
    "\(sessions) sessions, up to entry \(entry), \(bytes) bytes; the key\(keyID.map { " (\($0))" } ?? "") is not in it"
  }
}
