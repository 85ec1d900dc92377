import ArgumentParser

/// `cairn session`: drives a session of a running service.
struct SessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Drives a session of a running service, and watches it.",
    discussion: """
      Sessions that are started here are remembered with their secrets, in a file that only you can read
      ($XDG_STATE_HOME/cairn/sessions.json, else ~/.local/state/cairn/sessions.json); the one started last is meant, until it is ended, unless --session says another.

      """ + SessionExit.help,
    subcommands: [
      SessionNewCommand.self, SessionShowCommand.self, SessionWatchCommand.self, SessionStepCommand.self, SessionOpenCommand.self,
      SessionNotifyCommand.self, SessionBackCommand.self, SessionPopCommand.self, SessionSelectCommand.self, SessionTokenCommand.self,
      SessionLogoutCommand.self, SessionAdvanceCommand.self, SessionActCommand.self, SessionHistoryCommand.self, SessionForgetCommand.self,
      SessionEndCommand.self,
      SessionListCommand.self,
    ])
}
