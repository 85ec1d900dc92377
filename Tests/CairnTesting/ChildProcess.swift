import CairnRuntime
package import Glibc

/// A process that a test starts. It inherits only its three standard streams. An inherited socket of another test would keep that
/// connection open. Signals have their default actions, whatever the test process blocks or ignores. The process is killed when this object
/// is released.
package final class ChildProcess: Sendable {
  /// The end of a process: its exit code, or the signal that killed it.
  package enum Ending: Sendable, Equatable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// The target of a standard stream.
  package enum Stream {
    /// `/dev/null`.
    case null
    /// A descriptor of the test. The test closes it.
    case descriptor(Int32)
    /// A pipe that a thread of the test reads to its end, into `output` or `error`.
    case collected
    /// The end of the file at a path, which is created if necessary.
    case appended(String)
    /// The same target as stdout. Only for stderr.
    case likeOutput
  }

  /// The process could not be started. `code` is the errno.
  package struct NotStarted: Error { package let path: String, code: Int32 }

  /// The process id. It is not reused before `ending` is set.
  package let id: pid_t
  /// The output on stdout, if it is collected.
  package let output = Transcript()
  /// The output on stderr, if it is collected.
  package let error = Transcript()
  private let ending = Monitor<Ending?>(nil)

  /// Starts the program at a path. `environment` is added to that of the test.
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
      // The id stays valid until the process is reaped, which happens under the lock that protects sending signals.
      ending.change { $0 = Self.reap(id) }
    }
  }

  deinit {
    signal(SIGKILL)
    _ = ending.wait { $0 }
  }

  /// Whether the process has not ended yet.
  package var isRunning: Bool { ending.withLock { $0 == nil } }

  /// Sends a signal. Does nothing if the process has ended.
  package func signal(_ number: Int32) { ending.withLock { if $0 == nil { kill(id, number) } } }

  /// Blocks until the process has ended and all its output is collected.
  package func waitForEnd(file: StaticString = #fileID, line: UInt = #line) throws -> Ending {
    let result = try ending.wait(for: "the end of process \(id)", file: file, line: line) { $0 }
    try output.waitForEnd(file: file, line: line)
    try error.waitForEnd(file: file, line: line)
    return result
  }

  /// Blocks until the process has ended, and returns its exit code. For a signal this is 128 plus its number, as in a shell.
  package func exitCode(file: StaticString = #fileID, line: UInt = #line) throws -> Int32 {
    switch try waitForEnd(file: file, line: line) {
    case .exited(let code): code
    case .killed(let signal): 128 + signal
    }
  }

  /// Blocks until a SIGSTOP has stopped the process.
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
