import ArgumentParser
import CairnSQLite
import Foundation

/// The database of a command, found in the same way as the database of `cairn serve`.
struct DatabaseOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Path of a SQLite file, or URL of a PostgreSQL database; some commands accept only one of the two. "
        + "(default: that of cairn serve: CAIRN_DATABASE, else the configuration file, else var/cairn.sqlite)",
      valueName: "file"))
  var database: String?

  @Option(help: ArgumentHelp("Configuration file. (default: CAIRN_CONFIG; otherwise config/cairn.yaml if it exists)", valueName: "file"))
  var config: String?

  /// Returns the settings of `cairn serve`, with the database of the option if it is given. Throws if the settings are invalid or the
  /// database is on PostgreSQL.
  func configuration() throws(StartFailure) -> Configuration {
    let found = try read()
    guard !found.usesPostgres else {
      throw .tool(
        "this command is only for SQLite; on PostgreSQL use pg_dump, pg_restore or VACUUM, and set secret keys in CAIRN_SECRET_KEY")
    }
    return found
  }

  /// Returns the settings of `cairn serve`, with the database of the option if it is given. The database may be on SQLite or PostgreSQL.
  /// `schema` is the value of `--database-schema`; `nil` if the option is not given.
  func read(schema: String? = nil) throws(StartFailure) -> Configuration {
    let flags = ["database": database, "databaseSchema": schema].compactMapValues { $0 }
    return try ServeCommand.configuration(flags: flags, config: config, environment: ProcessInfo.processInfo.environment)
  }
}

/// The database of a command that works on PostgreSQL, and the schema of its tables.
struct SharedDatabaseOption: ParsableArguments {
  @OptionGroup var option: DatabaseOption
  @Option(setting: "databaseSchema") var databaseSchema: String?

  /// Returns the settings of `cairn serve` with these options. The database may also be on SQLite.
  func read() throws(StartFailure) -> Configuration { try option.read(schema: databaseSchema) }
}

/// Prints an error on stderr, after the program's name, and returns the exit code for the caller to throw.
func fail(_ text: String, code: Int32 = 1) -> ExitCode {
  Terminal.complain("cairn: \(text)")
  return ExitCode(code)
}
