import ArgumentParser
import CairnClient

/// `cairn session retry KEY`: sends a message again, as an operator.
struct SessionRetryCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Sends a message of an imported session, or attempts a message again at once. Operators only.")

  @Argument(help: "The key of the message, as listed in pending.")
  var key: String

  @OptionGroup var options: SessionOptions

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let answer = try await session.act(.retry(key))
    SessionReport(options).show(answer)
    return SessionExit(answer.outcome)
  }
}
