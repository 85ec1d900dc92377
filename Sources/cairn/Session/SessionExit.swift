import ArgumentParser
import CairnClient
import CairnCore

/// The exit codes of the session commands, for scripts.
enum SessionExit: Int32, Error, CaseIterable {
  /// Success. A posted action was performed or is pending.
  case done = 0
  /// A failure that has no exit code of its own.
  case failed = 1
  /// The action was accepted but changed nothing.
  case unchanged = 3
  /// The action was refused; the session is unchanged.
  case refused = 4
  /// The session does not exist, the credential does not give access, or a file cannot be read or written.
  case denied = 5
  /// The service is not running, is temporarily unavailable, or responds with 429.
  case unreachable = 6

  /// The description of the exit codes in `--help`.
  static let help = """
    Exits with 0 on success (the action was performed, or is pending), 3 if the action was accepted and changed nothing, 4 if it was refused,
    5 if the session does not exist, the credential grants no access to it, or a file cannot be read or written, 6 if the service is
    unavailable or responds with 429, 1 after another failure, 64 if the command is invalid.
    """

  init(_ error: ClientError) {
    self =
      switch error {
      case .unreachable, .timeout: .unreachable
      case .malformed, .unsendable, .cancelled: .failed
      case .refused(let problem) where problem.isRefusal: .refused
      case .refused(let problem) where problem.isDenial: .denied
      case .refused(let problem) where [429, 502, 503, 504].contains(problem.status): .unreachable
      case .refused: .failed
      }
  }

  /// A failure that ends a command before it sends a request.
  struct Failure: Error {
    let exit: SessionExit
    /// The message for the user.
    let text: String

    init(_ exit: SessionExit, _ text: String) {
      self.exit = exit
      self.text = text
    }
  }

  init(_ outcome: Outcome) { self = outcome == .unchanged ? .unchanged : .done }
}
