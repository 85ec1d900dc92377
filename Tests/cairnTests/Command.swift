import Foundation

/// The binary run to its end.
struct Finished {
  var code: Int32
  var output: String
  var error: String
}

extension Service {
  /// Runs a command in the service's folder; on a thread of its own, so that other tasks go on meanwhile.
  func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Finished {
    try await run(arguments, environment: environment)
  }

  /// The same, of a list.
  func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Finished {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try self.finished(arguments, environment) })
      }
    }
  }

  private func finished(_ arguments: [String], _ environment: [String: String]) throws -> Finished {
    let log = folder.appending(path: "run-\(UUID().uuidString).txt")
    let process = try Service.launch(arguments, environment: environment, log: log)
    guard let pipe = process.standardOutput as? Pipe else { throw Failure("no output") }
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Finished(code: process.terminationStatus, output: output, error: try String(contentsOf: log, encoding: .utf8))
  }

  /// Runs `cairn verify` on its database.
  func verify() async throws -> Finished { try await run("verify", database.path) }
}
