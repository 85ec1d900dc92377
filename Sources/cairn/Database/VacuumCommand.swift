import ArgumentParser
import CairnSQLite

/// `cairn vacuum`: rebuilds a database without its free pages.
struct VacuumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vacuum",
    abstract: "Rebuilds the database without its free pages; the service must not run.",
    discussion: """
      Needs room for a copy beside the database. The copy is checked, synced to the disk and then replaces the database. A running service \
      frees pages by itself when sessions are deleted; a database of an earlier version without that feature needs this command once.
      Exits with 0 if it succeeds, else with 1 and without a change.
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
