import ArgumentParser

/// The command `cairn` with all of its subcommands.
struct CairnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cairn",
    abstract: "Serves the navigation of apps over HTTP: clients post actions and receive screen trees.",
    usage: """
      cairn <subcommand>
      cairn --version [--verbose]
      """,
    discussion: """
      EXAMPLES:
        cairn new notes
        cairn serve --apps config/apps
        cairn session new shop
      """,
    version: Version.whole, groupedSubcommands: groups)

  /// The subcommands by task, in the order of the help.
  private static let groups = [
    CommandGroup(
      name: "Write and test an app",
      subcommands: [
        NewCommand.self, CheckCommand.self, FixCommand.self, TestCommand.self, ExploreCommand.self, DiffCommand.self, GraphCommand.self,
        TypesCommand.self, OpenAPICommand.self, SchemaCommand.self,
      ]),
    CommandGroup(name: "Serve", subcommands: [ServeCommand.self, KeyCommand.self, NodesCommand.self]),
    CommandGroup(name: "Look and act", subcommands: [SessionCommand.self]),
    CommandGroup(
      name: "Keep the data",
      subcommands: [
        BackupCommand.self, RestoreCommand.self, VerifyCommand.self, VacuumCommand.self, CopyCommand.self, MigrateCommand.self,
      ]),
    CommandGroup(name: "Release", subcommands: [AppsCommand.self, RolloutCommand.self]),
  ]

  @Flag(help: "With --version: also prints the configuration of the build, and the versions of libraries.")
  var verbose = false

  func validate() throws {
    // `start` handles `--version --verbose`, so the flag is given without --version here.
    if verbose { throw ValidationError("--verbose is only used with --version: cairn --version --verbose") }
  }
}
