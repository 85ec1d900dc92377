package import CairnRuntime

/// How long a test waits before an event counts as one that never comes. The only such constant: a deadline tells "late" from "never",
/// so it is far beyond what the busiest machine needs, and no test passes because it is short.
package enum TestTimeout {
  /// Four minutes.
  package static let duration = Duration.seconds(240)
  /// The same in whole seconds, for timeouts of sockets and requests.
  package static let seconds = 240

  /// `duration` from now, in the nanoseconds of `Monotonic`.
  package static var deadline: UInt64 { Monotonic.deadline(after: duration) }
}

/// An event that a test waited for and that did not come within `TestTimeout.duration`.
package struct NeverCame: Error, CustomStringConvertible {
  /// The awaited condition, and where it is awaited.
  package let description: String

  /// `what`: a noun that the failure shows, such as "a second request".
  package init(_ what: String = "the event", file: StaticString = #fileID, line: UInt = #line) {
    description = "\(what) did not come within \(TestTimeout.duration) (waited for at \(file):\(line))"
  }
}

extension Monitor {
  /// Blocks until `take` returns a value, which it is asked for at once and after each `change`; throws `NeverCame` after the timeout.
  package func wait<Result>(
    for what: String, file: StaticString = #fileID, line: UInt = #line, _ take: (inout State) -> Result?
  ) throws -> Result {
    guard let result = wait(until: TestTimeout.deadline, take) else { throw NeverCame(what, file: file, line: line) }
    return result
  }
}

/// A place for one answer; the test blocks until it is there.
package final class Awaited<Answer: Sendable>: Sendable {
  private let answers = Monitor<[Answer]>([])

  package init() {}

  /// Any thread.
  package func give(_ answer: Answer) { answers.change { $0.append(answer) } }

  /// The answers so far: more than one is a broken promise.
  package var count: Int { answers.withLock { $0.count } }

  /// Blocks until the first answer is there, and returns it.
  package func value(for what: String = "an answer", file: StaticString = #fileID, line: UInt = #line) throws -> Answer {
    try answers.wait(for: what, file: file, line: line, \.first)
  }
}

/// Blocks until `call` has given its answer.
package func awaiting<Answer: Sendable>(
  file: StaticString = #fileID, line: UInt = #line, _ call: (@escaping @Sendable (Answer) -> Void) -> Void
) throws -> Answer {
  let awaited = Awaited<Answer>()
  call { awaited.give($0) }
  return try awaited.value(file: file, line: line)
}

/// Runs blocking work on a thread of its own, so that it does not hold a thread of the pool that tasks share.
package func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    do {
      _ = try NamedThread("test-blocking") { continuation.resume(with: Swift.Result(catching: work)) }
    } catch {
      continuation.resume(throwing: error)
    }
  }
}
