import ArgumentParser
import CairnSQLite

/// `cairn vacuum`: rebuilds a database without its free pages.
struct VacuumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vacuum",
    abstract: "Rebuilds the database without its free pages.",
    discussion: """
      The service must not run. Needs free disk space for a copy in the database's folder. The copy is checked and synced to disk, then \
      it replaces the database. A running service returns free pages to the disk by itself. Only a database that was created by a version \
      without that feature needs this command, once.

      Exits with 0 on success; otherwise with 1, and the database is unchanged.
      """)
  @OptionGroup var option: DatabaseOption

  func run() throws {
    do {
      let database = try option.configuration().database
      let report = try Compaction.run(database)
      Terminal.print("\(database): \(report.before) bytes before, \(report.after) now")
    } catch let failure as StartFailure {
      throw fail(failure.text)
    } catch let fault as BackupFault {
      throw fail("\(fault)")
    }
  }
}
