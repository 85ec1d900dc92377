import ArgumentParser
import CairnClient

/// `cairn session pop [COUNT]`: pops screens off the stack in front.
struct SessionPopCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(commandName: "pop", abstract: "Takes screens off the stack in front.")

  @Argument(help: "How many.")
  var count = 1

  @OptionGroup var seen: SeenOption

  @OptionGroup var options: SessionOptions

  func validate() throws {
    if count < 1 { throw ValidationError("at least one is taken off") }
  }

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let answer = try await session.pop(count, from: seen.node(session))
    SessionReport(options).tell(answer)
    return SessionExit(answer.outcome)
  }
}
