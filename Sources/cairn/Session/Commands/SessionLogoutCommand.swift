import ArgumentParser
import CairnClient

/// `cairn session logout`: deletes the session's access token.
struct SessionLogoutCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(commandName: "logout", abstract: "Logs out: removes the session's access token.")

  @OptionGroup var options: SessionOptions

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let answer = try await session.logout()
    SessionReport(options).show(answer)
    return SessionExit(answer.outcome)
  }
}
