import ArgumentParser
import CairnClient
import Foundation

/// `cairn session export FILE`: writes the session to a file.
struct SessionExportCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes the session with its history to a file that another service can import. Operators only.")

  @Argument(help: "The file to write, which only you can read; - writes to stdout.")
  var file: String

  @Option(help: ArgumentHelp(SessionFileKey.help("encrypts"), valueName: "file"))
  var keyFile: String?

  @OptionGroup var options: SessionOptions

  func play() async throws -> SessionExit {
    let (target, remembered) = try options.target()
    let client = try options.client(of: remembered)
    let session = try await client.export(session: target.id, key: keyFile.map(SessionFileKey.read))
    guard file != "-" else {
      FileHandle.standardOutput.write(session)
      return .done
    }
    let isWritten = FileManager.default.createFile(atPath: file, contents: session, attributes: [.posixPermissions: 0o600])
    guard isWritten else { throw SessionExit.Failure(.denied, "\(file) cannot be written") }
    if !options.json { SessionReport(options).print(StyledLine("\(file): \(session.count) bytes")) }
    return .done
  }
}

/// The key that encrypts the secrets in a session's file.
enum SessionFileKey {
  /// The help text of an option. `use` is the effect of the key on the secrets.
  static func help(_ use: String) -> String {
    "File with the key that \(use) the session's secrets: base64 of 32 bytes (openssl rand -base64 32). Without it, they are omitted."
  }

  /// Reads the key from a file. Throws if the file cannot be read or does not contain base64 of 32 bytes.
  static func read(_ file: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: file) else { throw SessionExit.Failure(.denied, "\(file) cannot be read") }
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard Data(base64Encoded: text)?.count == 32 else {
      throw ValidationError("\(file) must contain base64 of 32 bytes; create it with: openssl rand -base64 32")
    }
    return text
  }
}
