import ArgumentParser
import CairnClient

/// `cairn session show`: draws the session.
struct SessionShowCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Draws the session: its tree, the effects in progress, and the actions that it accepts.")

  @Option(help: ArgumentHelp("Shows the session at this revision. (default: the newest)", valueName: "number"))
  var revision: Int?

  @OptionGroup var options: SessionOptions

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let view = if let revision { try await session.session(at: revision) } else { try await session.session() }
    SessionReport(options).show(view)
    return .done
  }
}
