import ArgumentParser
import CairnClient

/// `cairn session open URL`: opens a deep link.
struct SessionOpenCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Opens a URL: a link of the app, or the redirect of an OAuth login.")

  @Argument(help: "The URL.")
  var link: String

  @Flag(help: "Shows what the action would do, without performing it.")
  var plan = false

  @OptionGroup var options: SessionOptions

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let answer = plan ? try await session.planOpen(link) : try await session.open(link)
    SessionReport(options).show(answer)
    return SessionExit(answer.outcome)
  }
}
