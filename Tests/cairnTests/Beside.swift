import CairnTesting
import Foundation

/// A command of the binary that runs beside the test, on a terminal or into a pipe.
final class Beside: Sendable {
  private let process: ChildProcess
  private let keys: FileHandle

  /// `onTerminal`: through script, which gives it one.
  init(_ arguments: [String], in folder: URL, environment: [String: String], onTerminal: Bool) throws {
    let ends = try Descriptors.pipe()
    defer { close(ends.read) }
    keys = FileHandle(fileDescriptor: ends.write, closeOnDealloc: true)
    process = try ChildProcess(
      onTerminal ? "/usr/bin/script" : Service.binary.path,
      onTerminal ? ["-qefc", ([Service.binary.path] + arguments).joined(separator: " "), "/dev/null"] : arguments,
      environment: environment, folder: folder.path, input: .descriptor(ends.read), output: .collected)
  }

  /// Its output so far.
  var said: String { process.output.text }

  /// Waits until it has said something.
  func says(_ text: String, line: UInt = #line) async throws {
    let output = process.output
    try await onOwnThread { _ = try output.wait(forText: text, line: line) }
  }

  /// Presses keys.
  func press(_ keys: String) throws { try self.keys.write(contentsOf: Data(keys.utf8)) }

  func signal(_ number: Int32) { process.signal(number) }

  /// Its exit code, when it has ended and all that it said was read.
  func code(line: UInt = #line) async throws -> Int32 {
    let process = process
    return try await onOwnThread { try process.exitCode(line: line) }
  }
}
