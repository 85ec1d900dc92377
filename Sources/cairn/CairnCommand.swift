import ArgumentParser
import CBuild

/// The command `cairn` with all of its subcommands.
struct CairnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cairn",
    abstract: "Serves the navigation of apps over HTTP: clients post actions and receive screen trees.",
    version: Version.whole,
    subcommands: [
      ServeCommand.self, CheckCommand.self, FixCommand.self, TestCommand.self, DiffCommand.self, ExploreCommand.self, GraphCommand.self,
      SchemaCommand.self, NewCommand.self,
      OpenAPICommand.self, TypesCommand.self, SessionCommand.self,
      BackupCommand.self, RestoreCommand.self, VerifyCommand.self, VacuumCommand.self, KeyCommand.self, AppsCommand.self, NodesCommand.self,
      CopyCommand.self, MigrateCommand.self, RolloutCommand.self,
    ])
}

/// The version of the program, from the file VERSION of the repository.
enum Version {
  static let text = String(String(cString: cairn_build_version()).prefix { !$0.isNewline })
  /// The commit of the build; `nil` if the build did not set it.
  static let commit = String(cString: cairn_build_commit()).nonEmpty
  /// The version, followed by the commit if it is known.
  static let whole = commit.map { "\(text) (\($0))" } ?? text
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
