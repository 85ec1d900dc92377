import ArgumentParser
import CairnClient

/// `cairn session select TAB`: taps a tab.
struct SessionSelectCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(commandName: "select", abstract: "Selects a tab, as if the user had tapped it.")

  @Argument(help: "The tab's index, from 0, or the name of its flow.")
  var tab: String

  @OptionGroup var seen: SeenOption

  @OptionGroup var options: SessionOptions

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let from = try await seen.node(session)
    let answer =
      if let index = Int(tab) { try await session.select(tab: index, from: from) } else { try await session.select(flow: tab, from: from) }
    SessionReport(options).show(answer)
    return SessionExit(answer.outcome)
  }
}
