import ArgumentParser
import CairnCore
import CairnRuntime
import CairnSQLite

/// `cairn backup FILE`: copies the database, even while the service runs.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copies the database, also while the service runs.",
    discussion: """
      The copy is consistent: it has the state of the database at one point in time. The service continues to work while it is made. The \
      copy is checked, synced to the disk, and then renamed to FILE, which only its owner can read. It does not contain the secret key: \
      keep <database>.key separately, because the secrets in the copy cannot be decrypted without it.

      Exits with 0 if the copy is complete; otherwise with 1, and writes no file.
      """)

  @Argument(help: ArgumentHelp("The file to write.", valueName: "file"))
  var file: String

  @Flag(help: "Replaces an existing file.")
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
    "\(CountText.of(sessions, "session")), newest entry \(entry), \(bytes) bytes, without the secret key\(keyID.map { " (\($0))" } ?? "")"
  }
}
