import ArgumentParser
import CairnClient

/// `cairn session pop [COUNT]`: pops screens from the visible stack.
struct SessionPopCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(commandName: "pop", abstract: "Pops screens from the visible stack.")

  @Argument(help: "Number of screens to pop.")
  var count = 1

  @OptionGroup var seen: SeenOption

  @OptionGroup var options: SessionOptions

  func validate() throws {
    if count < 1 { throw ValidationError("the number of screens must be at least 1") }
  }

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let answer = try await session.pop(count, from: seen.node(session))
    SessionReport(options).show(answer)
    return SessionExit(answer.outcome)
  }
}
