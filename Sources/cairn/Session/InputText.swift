import ArgumentParser
import CairnCore
import Foundation

/// Reads a command's input from a file or from stdin.
enum InputText {
  /// Reads the JSON in a file, or on stdin if the name is `-`.
  static func json(_ file: String) throws -> Value {
    let data = file == "-" ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: file)
    guard let data else { throw SessionExit.Failure(.denied, "\(file) cannot be read") }
    guard let value = try? JSONDecoder().decode(Value.self, from: data) else {
      throw ValidationError("\(file == "-" ? "stdin" : file) must contain JSON")
    }
    return value
  }

  /// Returns the text, or the first line of stdin if the text is `-`. Unlike arguments, stdin does not appear in the list of processes.
  static func line(_ text: String) throws -> String {
    guard text == "-" else { return text }
    guard let line = readLine(), !line.isEmpty else { throw ValidationError("the first line of stdin is empty; it must contain the token") }
    return line
  }
}
