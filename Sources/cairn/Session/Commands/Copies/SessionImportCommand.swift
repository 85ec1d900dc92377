import ArgumentParser
import CairnClient
import Foundation

/// `cairn session import FILE`: starts a session with the history of a file.
struct SessionImportCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Starts a session from an exported file, stores its new secret on this machine, and shows the session. Operators only.")

  @Argument(help: "The exported file; - reads stdin.")
  var file: String

  @Option(help: ArgumentHelp("The new session's label. (default: the label in the file)", valueName: "label"))
  var label: String?

  @Option(help: ArgumentHelp(SessionFileKey.help("decrypts"), valueName: "file"))
  var keyFile: String?

  @OptionGroup var options: SessionOptions

  var actsOnSession: Bool { false }

  func play() async throws -> SessionExit {
    let data = file == "-" ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: file)
    guard let data else { throw SessionExit.Failure(.denied, "\(file) cannot be read") }
    let client = try options.client()
    let session = try await client.importSession(data, key: keyFile.map(SessionFileKey.read), label: label)
    return begin(session, at: client.address)
  }
}
