import ArgumentParser

/// `cairn`.
struct CairnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cairn",
    abstract: "Owns an app's navigation: actions in, screen tree out, durable.",
    version: Version.text,
    subcommands: [
      ServeCommand.self, CheckCommand.self, TestCommand.self, ExploreCommand.self, GraphCommand.self, SchemaCommand.self,
      OpenAPICommand.self, TypesCommand.self, SessionCommand.self,
      BackupCommand.self, RestoreCommand.self, VerifyCommand.self, VacuumCommand.self, KeyCommand.self,
    ])
}

/// What runs.
enum Version {
  static let text = "0.1.0-dev"
}
