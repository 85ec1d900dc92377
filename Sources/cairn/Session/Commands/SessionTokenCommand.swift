import ArgumentParser
import CairnClient

/// `cairn session token TOKEN`: sets the session's access token.
struct SessionTokenCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(commandName: "token", abstract: "Posts an access token that the app has received.")

  @Argument(help: "The token; - reads it from stdin.")
  var token: String

  @OptionGroup var options: SessionOptions

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let answer = try await session.token(InputText.line(token))
    SessionReport(options).show(answer)
    return SessionExit(answer.outcome)
  }
}
