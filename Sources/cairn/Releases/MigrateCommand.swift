import ArgumentParser
import CairnCore
import CairnStore

#if canImport(CairnPostgres)
  import CairnPostgres
#endif

/// `cairn migrate`: creates or changes the tables of a PostgreSQL database.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Creates or changes the tables on PostgreSQL.",
    discussion: """
      A node does the same at its start. Use this command if the role of the nodes may not create tables: set the database to a URL with a \
      role that may, and name the nodes' role with --grant. Each migration is a transaction that waits at most two seconds for a lock. A \
      release only adds tables and columns; the next release removes the unused ones, so nodes of both can run together.

      Exits with 0 if the tables are up to date, else with 1. --print prints the missing statements and changes nothing.
      """)
  @OptionGroup var option: SharedDatabaseOption
  @Option(
    help: ArgumentHelp(
      "PostgreSQL role of the nodes. It is granted access to the tables, and gets timeouts and other settings for its connections.",
      valueName: "role"))
  var grant: String?
  @Flag(name: .customLong("print"), help: "Prints the missing statements, and changes nothing.") var isPrinting = false

  func run() throws {
    do throws(StartFailure) {
      let configuration = try option.read()
      guard configuration.usesPostgres else { throw .tool("a SQLite file is migrated by `cairn serve`; this command is for PostgreSQL") }
      #if canImport(CairnPostgres)
        let opening = DatabaseOpening(configuration)
        let (target, erasures) = (try opening.target, try opening.erasures)
        do {
          if isPrinting {
            Terminal.print(try PostgresMigration.statements(target, erasures: erasures, grantingTo: grant))
          } else {
            let count = try PostgresMigration.run(target, erasures: erasures, grantingTo: grant)
            Terminal.print("\(target.name): \(count == 0 ? "the tables were up to date" : "\(CountText.of(count, "migration")) performed")")
          }
        } catch {
          throw .tool("\(error)")
        }
      #else
        throw DatabaseOpening.noPostgres
      #endif
    } catch {
      throw fail(error.text)
    }
  }
}
