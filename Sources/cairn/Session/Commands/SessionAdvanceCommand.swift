import ArgumentParser
import CairnClient
import CairnCore

/// `cairn session advance TIME`: advances the session's manual clock.
struct SessionAdvanceCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(commandName: "advance", abstract: "Advances the session's manual clock.")

  @Argument(help: "The duration, such as 500ms, 30s, 5m, 2h or 1d.")
  var time: String

  @OptionGroup var options: SessionOptions

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let answer = try await session.act(SessionAction(["type": "advance", "by": .string(time)]))
    SessionReport(options).show(answer)
    return SessionExit(answer.outcome)
  }
}
