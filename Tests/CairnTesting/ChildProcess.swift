import CairnRuntime
package import Glibc

/// A process that a test starts. It inherits its three standard streams and nothing else: a socket of another test that it kept open would
/// never come to its end. Its signals have their default actions, whatever the test process blocks or ignores. It is killed when the value is
/// released.
package final class ChildProcess: Sendable {
  /// How a process ended.
  package enum Ending: Sendable, Equatable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// Where one of its streams leads.
  package enum Stream {
    /// `/dev/null`.
    case null
    /// A descriptor of the test, which stays the test's to close.
    case descriptor(Int32)
    /// A pipe that a thread of the test reads to its end, into `output` or `error`.
    case collected
    /// The end of the file at a path, which is made if it is not there.
    case appended(String)
    /// Into the same place as stdout. Only for stderr.
    case likeOutput
  }

  /// Why a process did not start.
  package struct NotStarted: Error { package let path: String, code: Int32 }

  /// The process's id; it is not given to another process before `ending` is known.
  package let id: pid_t
  /// Its output on stdout, if that is collected.
  package let output = Transcript()
  /// Its output on stderr, if that is collected.
  package let error = Transcript()
  private let ending = Monitor<Ending?>(nil)

  /// Starts the program at a path. `environment` is added to the test's own.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String] = [:], folder: String? = nil,
    input: Stream = .null, output: Stream = .null, error: Stream = .null
  ) throws {
    var actions = SpawnActions()
    defer { actions.close() }
    let (ownOutput, ownError) = (try actions.add(output, for: STDOUT_FILENO), try actions.add(error, for: STDERR_FILENO))
    _ = try actions.add(input, for: STDIN_FILENO)
    let id = actions.spawn(path, arguments, environment, folder)
    guard case .success(let id) = id else {
      for descriptor in [ownOutput, ownError] { if let descriptor { close(descriptor) } }
      if case .failure(let fault) = id { throw fault }
      throw NotStarted(path: path, code: 0)
    }
    self.id = id
    try self.output.read(ownOutput)
    try self.error.read(ownError)
    let ending = ending
    _ = try NamedThread("child-\(id)") {
      var info = siginfo_t()
      while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
      // The id stays the process's own until it is reaped, and that happens under the lock that signals are sent under.
      ending.change { $0 = Self.reap(id) }
    }
  }

  deinit {
    signal(SIGKILL)
    _ = ending.wait { $0 }
  }

  /// Whether it has not ended yet.
  package var isRunning: Bool { ending.withLock { $0 == nil } }

  /// Sends a signal; nothing if the process has ended.
  package func signal(_ number: Int32) { ending.withLock { if $0 == nil { kill(id, number) } } }

  /// Blocks until it has ended, and all that it wrote is collected.
  package func waitForEnd(file: StaticString = #fileID, line: UInt = #line) throws -> Ending {
    let result = try ending.wait(for: "the end of process \(id)", file: file, line: line) { $0 }
    try output.waitForEnd(file: file, line: line)
    try error.waitForEnd(file: file, line: line)
    return result
  }

  /// Blocks until it has ended, and returns its exit code; a signal's number as a shell has it, 128 higher.
  package func exitCode(file: StaticString = #fileID, line: UInt = #line) throws -> Int32 {
    switch try waitForEnd(file: file, line: line) {
    case .exited(let code): code
    case .killed(let signal): 128 + signal
    }
  }

  /// Blocks until a SIGSTOP has stopped it.
  package func waitUntilStopped() {
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WSTOPPED | WNOWAIT) != 0, errno == EINTR {}
  }

  private static func reap(_ id: pid_t) -> Ending {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
  }
}
