import ArgumentParser
import CairnClient
import CairnCore

/// How the commands of a session end, for scripts.
enum SessionExit: Int32, Error, CaseIterable {
  /// Done; what was posted is performed, or pending.
  case done = 0
  /// Another failure.
  case failed = 1
  /// Accepted, and nothing changed.
  case unchanged = 3
  /// Refused: the session is as it was.
  case refused = 4
  /// No such session, or not for this secret or key; or a file that cannot be read.
  case denied = 5
  /// The service is not running, or is unavailable for now.
  case unreachable = 6

  /// The text in `--help`.
  static let help = """
    Exits with 0 when it is done (what was posted is performed, or pending), 3 when it was accepted and nothing changed, 4 when it was refused,
    5 when there is no such session or file, or not for this secret or key, 6 when the service does not answer, 1 when something else went wrong,
    64 when the command is wrong.
    """

  init(_ error: ClientError) {
    self =
      switch error {
      case .unreachable, .timeout: .unreachable
      case .malformed, .cancelled: .failed
      case .refused(let problem) where problem.isRefusal: .refused
      case .refused(let problem) where problem.isDenial: .denied
      case .refused(let problem) where [429, 502, 503, 504].contains(problem.status): .unreachable
      case .refused: .failed
      }
  }

  /// Why a command ends before the service is asked.
  struct Failure: Error {
    let exit: SessionExit
    /// For people.
    let text: String

    init(_ exit: SessionExit, _ text: String) {
      self.exit = exit
      self.text = text
    }
  }

  init(_ outcome: Outcome) { self = outcome == .unchanged ? .unchanged : .done }
}
