package import CairnRuntime
package import Testing

/// The timeout of every wait of a test, which is defined only here. It is far longer than the busiest machine needs, and no test depends on a short value.
package enum TestTimeout {
  private static let minutes = 4
  /// In whole seconds, for the timeouts of sockets and requests.
  package static let seconds = 60 * minutes
  package static let duration = Duration.seconds(seconds)
  /// The time limit of a test that waits without a deadline, such as for an element of a sequence.
  package static let limit = TimeLimitTrait.Duration.minutes(minutes)

  /// `duration` from now, in nanoseconds of `Monotonic`.
  package static var deadline: UInt64 { Monotonic.deadline(after: duration) }
}

/// The awaited event did not occur within `TestTimeout.duration`.
package struct NeverCame: Error, CustomStringConvertible {
  /// The awaited condition, and the place in the test.
  package let description: String

  /// `what` is a noun phrase for the failure message, such as "a second request".
  package init(_ what: String = "the event", file: StaticString = #fileID, line: UInt = #line) {
    description = "\(what) did not come within \(TestTimeout.duration) (waited for at \(file):\(line))"
  }
}

/// Suspends the task until it is cancelled. Then throws `CancellationError`.
package func waitUntilCancelled() async throws {
  for await _ in AsyncStream<Void>.makeStream().stream {}
  try Task.checkCancellation()
}

extension Monitor {
  /// Blocks until `take` returns a value. Calls `take` at once and after each `change`. Throws `NeverCame` after the timeout.
  package func wait<Result>(
    for what: String, file: StaticString = #fileID, line: UInt = #line, _ take: (inout State) -> Result?
  ) throws -> Result {
    guard let result = wait(until: TestTimeout.deadline, take) else { throw NeverCame(what, file: file, line: line) }
    return result
  }
}

/// Holds the result of an asynchronous call. A test can block until it is set.
package final class Awaited<Answer: Sendable>: Sendable {
  private let answers = Monitor<[Answer]>([])

  package init() {}

  /// Sets the result. Safe on any thread.
  package func give(_ answer: Answer) { answers.change { $0.append(answer) } }

  /// The number of results so far. More than one is a fault of the tested code.
  package var count: Int { answers.withLock { $0.count } }

  /// Blocks until the first result is set, and returns it.
  package func value(for what: String = "an answer", file: StaticString = #fileID, line: UInt = #line) throws -> Answer {
    try answers.wait(for: what, file: file, line: line, \.first)
  }
}

/// Runs `call`, blocks until it has passed on its result, and returns the result.
package func awaiting<Answer: Sendable>(
  file: StaticString = #fileID, line: UInt = #line, _ call: (@escaping @Sendable (Answer) -> Void) -> Void
) throws -> Answer {
  let awaited = Awaited<Answer>()
  call { awaited.give($0) }
  return try awaited.value(file: file, line: line)
}

/// Runs blocking work on a new thread, so that it does not occupy a thread of the shared pool of tasks.
package func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    do {
      _ = try NamedThread("test-blocking") { continuation.resume(with: Swift.Result(catching: work)) }
    } catch {
      continuation.resume(throwing: error)
    }
  }
}
