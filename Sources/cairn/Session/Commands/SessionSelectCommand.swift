import ArgumentParser
import CairnClient

/// `cairn session select TAB`: taps a tab.
struct SessionSelectCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(commandName: "select", abstract: "A tap on a tab.")

  @Argument(help: "Its index, from 0, or the name of its flow.")
  var tab: String

  @OptionGroup var options: SessionOptions

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let answer = try await session.act(Int(tab).map { .select(tab: $0) } ?? .select(flow: tab))
    SessionReport(options).tell(answer)
    return SessionExit(answer.outcome)
  }
}
