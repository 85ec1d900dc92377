import CairnTesting
import Foundation

/// A command of the binary that runs in parallel to the test, on a terminal or with a pipe.
final class Beside: Sendable {
  private let process: ChildProcess
  private let keys: FileHandle

  /// Starts the command. If `onTerminal` is true, it runs under script(1), which provides a terminal.
  init(_ arguments: [String], in folder: URL, environment: [String: String], onTerminal: Bool) throws {
    let ends = try Descriptors.pipe()
    defer { close(ends.read) }
    keys = FileHandle(fileDescriptor: ends.write, closeOnDealloc: true)
    process = try ChildProcess(
      onTerminal ? "/usr/bin/script" : Service.binary.path,
      onTerminal ? ["-qefc", ([Service.binary.path] + arguments).joined(separator: " "), "/dev/null"] : arguments,
      environment: environment, folder: folder.path, input: .descriptor(ends.read), output: .collected)
  }

  /// The output so far.
  var said: String { process.output.text }

  /// Waits until the output contains a text.
  func says(_ text: String, line: UInt = #line) async throws {
    let output = process.output
    try await onOwnThread { _ = try output.wait(forText: text, line: line) }
  }

  /// Writes keys to the input.
  func press(_ keys: String) throws { try self.keys.write(contentsOf: Data(keys.utf8)) }

  func signal(_ number: Int32) { process.signal(number) }

  /// Waits for the end of the process and returns its exit code. All output has been read by then.
  func code(line: UInt = #line) async throws -> Int32 {
    let process = process
    return try await onOwnThread { try process.exitCode(line: line) }
  }
}
