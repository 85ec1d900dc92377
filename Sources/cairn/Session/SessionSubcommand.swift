import ArgumentParser
import CairnClient

/// A command that sends requests to a running service.
protocol SessionSubcommand: ParsableCommand, Sendable {
  var options: SessionOptions { get }

  /// Whether the command acts on one session, whose service may differ from the default service.
  var actsOnSession: Bool { get }

  /// Prepares the process. Called before other threads exist.
  func prepare()

  /// Performs the command, prints the result, and returns the exit code.
  func play() async throws -> SessionExit
}

extension SessionSubcommand {
  var actsOnSession: Bool { true }

  func prepare() {}

  func run() throws {
    prepare()
    let exit: SessionExit
    do {
      exit = try Blocking.run { try await play() }
    } catch let error as ClientError {
      SessionReport(options).complain(error, of: options.address(of: actsOnSession ? options.remembered().item : nil))
      exit = SessionExit(error)
    } catch let failure as SessionExit.Failure {
      Terminal.complain("cairn: \(failure.text)")
      exit = failure.exit
    }
    if exit != .done { throw ExitCode(exit.rawValue) }
  }
}
