import ArgumentParser
import CairnClient

/// `cairn session back`: goes back like a phone's back button.
struct SessionBackCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(commandName: "back", abstract: "Posts the gesture back, like the back button of a phone.")

  @OptionGroup var seen: SeenOption

  @OptionGroup var options: SessionOptions

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let answer = try await session.back(from: seen.node(session))
    SessionReport(options).show(answer)
    return SessionExit(answer.outcome)
  }
}
