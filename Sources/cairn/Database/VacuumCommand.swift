import ArgumentParser
import CairnSQLite

/// `cairn vacuum`: rebuilds a database without its free pages.
struct VacuumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vacuum",
    abstract: "Rebuilds the database without its free pages; the service must not run.",
    discussion: """
      Needs room for a copy beside the database. The copy is checked, brought to the disk and only then put in place. A running service \
      gives pages back by itself as sessions are deleted; a database that was made by a version which did not do that needs this once.
      Exits with 0 if it is done, else with 1 and the database as it was.
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
