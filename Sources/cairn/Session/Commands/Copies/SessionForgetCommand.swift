import ArgumentParser
import CairnClient
import CairnCore

/// `cairn session forget`: forgets the session's history, as an operator.
struct SessionForgetCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Deletes the session's history before a revision. Its newest state does not change. Operators only.")

  @Option(help: ArgumentHelp("The first revision that is kept. (default: the newest)", valueName: "revision"))
  var before: Int?

  @OptionGroup var options: SessionOptions

  func validate() throws {
    if let before, before < 1 { throw ValidationError("--before must be at least 1") }
  }

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let first = try await session.forget(before: before)
    if options.json {
      Terminal.print(SessionReport.text(["firstRevision": .integer(first)], isPretty: false))
    } else {
      Terminal.print("the history now begins with revision \(first)")
    }
    return .done
  }
}
