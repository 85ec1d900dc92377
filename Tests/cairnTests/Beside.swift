import CairnRuntime
import Foundation

/// A command of the binary that runs beside the test, on a terminal or into a pipe.
final class Beside: @unchecked Sendable {
  // Unchecked: a Process is used by one test at a time; what was read is under the lock.
  private let process: Process
  private let input = Pipe()
  private let read = Lock("")

  /// `onTerminal`: through script, which gives it one.
  init(_ arguments: [String], in folder: URL, environment: [String: String], onTerminal: Bool) throws {
    process = Process()
    process.executableURL = onTerminal ? URL(filePath: "/usr/bin/script") : Service.binary
    process.arguments =
      onTerminal ? ["-qefc", ([Service.binary.path] + arguments).joined(separator: " "), "/dev/null"] : arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = input
    let read = read
    output.fileHandleForReading.readabilityHandler = { handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      read.withLock { $0 += String(decoding: data, as: UTF8.self) }
    }
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// What it said so far.
  var said: String { read.withLock { $0 } }

  /// Waits until it has said something.
  func says(_ text: String) async throws { try await until { self.said.contains(text) } }

  /// Presses keys.
  func press(_ keys: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(keys.utf8)) }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Its exit code, when it has ended.
  func code() async throws -> Int32 {
    try await until { !self.process.isRunning }
    return process.terminationStatus
  }

  private func until(_ holds: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(240)
    while !holds() {
      guard ContinuousClock.now < deadline else { throw Service.Failure("it never came: \(said)") }
      await Task.yield()
    }
  }
}
