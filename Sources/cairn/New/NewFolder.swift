import CairnDefinition
import CairnTemplates
import Foundation
import Glibc

/// The folder of a new app.
struct NewFolder {
  /// The path without slashes at its end.
  let path: String
  /// The name of the app, which is the last part of the path.
  let app: String

  /// The maximum length of a new app's name. A file system allows 255 bytes for the name of a file.
  private static let longestName = 64
  /// Names that would have another meaning in the files: YAML values, and the schemes of web addresses.
  private static let reserved: Set<String> = ["true", "false", "null", "http", "https"]

  /// Throws if the last part of the path cannot be the name of an app.
  init(_ given: String) throws(StartFailure) {
    var path = given[...]
    while path.hasSuffix("/") { path.removeLast() }
    self.path = String(path)
    app = path.split(separator: "/").last.map(String.init) ?? ""
    guard AppName.isValid(app) else {
      throw .tool("the folder `\(PrintableText.of(given))` cannot be created: its name is that of the app, and must \(AppName.form)")
    }
    guard app.utf8.count <= Self.longestName else {
      throw .tool("the name of the app must have at most \(Self.longestName) characters, not \(app.utf8.count)")
    }
    guard !Self.reserved.contains(app) else {
      throw .tool("an app cannot be named `\(app)`, which has another meaning in YAML or in a URL; choose another name")
    }
  }

  /// Writes files to the folder. Creates the folder if it does not exist. Throws without a change if the path is a file, or a folder that is
  /// not empty. If a file cannot be written, the error lists the files that were written before it. No file is overwritten.
  func write(_ files: [AppTemplate.File]) throws(StartFailure) {
    try refuseContents()
    var written: [String] = []
    for file in files {
      let target = URL(filePath: path).appending(path: file.path)
      do {
        try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.text.utf8).write(to: target, options: .withoutOverwriting)
      } catch {
        let before = written.isEmpty ? "no file was written" : "written before: \(written.joined(separator: ", "))"
        throw .tool("\(shown)/\(file.path) cannot be written: \(Self.reason(of: error)); \(before)")
      }
      written.append(file.path)
    }
  }

  /// The system's text for an error, such as "No space left on device".
  private static func reason(of error: any Error) -> String {
    guard let system = (error as? CocoaError)?.underlying as? POSIXError else { return error.localizedDescription }
    return String(cString: strerror(system.code.rawValue))
  }

  private func refuseContents() throws(StartFailure) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw .tool("\(shown) exists, and is not a folder that can be read; choose another name")
    }
    guard names.isEmpty else { throw .tool("the folder \(shown) is not empty; choose another name, or a folder without files") }
  }

  /// The lines that list the written files and the next commands.
  func report(_ files: [AppTemplate.File]) -> [String] {
    let list = files.map { "  \(shown)/\($0.path)" }
    return ["The app \(app) has these files:"] + list + [
      "Next:", "  cd \(PrintableText.of(quoted))", "  cairn test config/apps/\(app).scenarios.yaml", "  cairn serve --watch",
    ]
  }

  private var shown: String { PrintableText.of(path) }

  /// The path as a word of a shell.
  private var quoted: String {
    let isPlain = path.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/._-".utf8.contains(byte)
    }
    return isPlain ? path : "'\(path.replacing("'", with: "'\\''"))'"
  }
}
