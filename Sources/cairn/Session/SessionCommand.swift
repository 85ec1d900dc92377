import ArgumentParser

/// `cairn session`: drives a session of a running service.
struct SessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Drives and watches a session of a running service.",
    discussion: """
      Sessions that you start are stored with their secrets on this machine, in a file that only you can read
      ($XDG_STATE_HOME/cairn/sessions.json, by default ~/.local/state/cairn/sessions.json). Commands use the session that was started last,
      or none after the command end has ended it, unless --session names another one.

      """ + SessionExit.help,
    subcommands: [
      SessionNewCommand.self, SessionShowCommand.self, SessionWatchCommand.self, SessionStepCommand.self, SessionOpenCommand.self,
      SessionNotifyCommand.self, SessionBackCommand.self, SessionPopCommand.self, SessionSelectCommand.self, SessionTokenCommand.self,
      SessionLogoutCommand.self, SessionAdvanceCommand.self, SessionRetryCommand.self, SessionActCommand.self, SessionHistoryCommand.self,
      SessionForgetCommand.self, SessionEndCommand.self, SessionListCommand.self, SessionForkCommand.self, SessionExportCommand.self,
      SessionImportCommand.self,
    ])
}
