import ArgumentParser
import CairnSQLite
import Foundation

/// Which database a command is about, found in the way `cairn serve` finds its own.
struct DatabaseOption: ParsableArguments {
  @Option(help: ArgumentHelp("The database. (default: that of cairn serve: CAIRN_DATABASE, the file, var/cairn.sqlite)", valueName: "file"))
  var database: String?

  @Option(help: ArgumentHelp("Configuration file. (default: config/cairn.yaml if it is there; CAIRN_CONFIG)", valueName: "file"))
  var config: String?

  /// The settings of `cairn serve`, with the database that was named.
  func configuration() throws(StartFailure) -> Configuration {
    try ServeCommand.configuration(
      flags: ["database": database].compactMapValues { $0 }, config: config, environment: ProcessInfo.processInfo.environment)
  }
}

/// Ends a command with a line on stderr and an exit code.
func fail(_ text: String, code: Int32 = 1) -> ExitCode {
  Terminal.complain("cairn: \(text)")
  return ExitCode(code)
}
