import CairnTesting
import Foundation

/// The result of a command that ran to its end.
struct Finished {
  var code: Int32
  var output: String
  var error: String
}

extension Service {
  /// Runs a command in the folder of the service. Runs on a separate thread, so that other tasks can run.
  func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Finished {
    try await run(arguments, environment: environment)
  }

  /// Runs a command with a list of arguments.
  func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Finished {
    let log = folder.appending(path: "run-\(UUID().uuidString).txt")
    return try await onOwnThread {
      let process = try Service.launch(arguments, environment: environment, log: log)
      let code = try process.exitCode()
      return Finished(code: code, output: process.output.text, error: try String(contentsOf: log, encoding: .utf8))
    }
  }

  /// An app whose timer is shorter than the default of `shortestTimer`.
  static let fast = """
    app: fast
    language: 1
    compat: { emits: any }
    root: { flow: main, start: go }
    screens: { home: }
    steps: { go: , tick: }
    flows:
      main:
        stack: home
        handle: { go: { timer: { after: 10ms, send: tick }, of: flow }, tick: { push: home } }
    """

  /// Runs `cairn verify` on the database of the service.
  func verify() async throws -> Finished { try await run("verify", database.path) }
}
