import ArgumentParser
import CairnClient

/// `cairn session fork`: starts a session as a copy of another session.
struct SessionForkCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "fork",
    abstract: "Starts a copy of the session at a revision, stores the copy's secret on this machine, and shows the copy. Operators only.")

  @Option(help: ArgumentHelp("The revision to copy. (default: the newest)", valueName: "number"))
  var revision: Int?

  @Option(help: ArgumentHelp("A label by which operators can find the copy.", valueName: "label"))
  var label: String?

  @OptionGroup var options: SessionOptions

  func play() async throws -> SessionExit {
    let (target, remembered) = try options.target()
    let client = try options.client(of: remembered)
    let copy = try await client.fork(session: target.id, at: revision, label: label)
    return begin(copy, at: client.address)
  }
}
