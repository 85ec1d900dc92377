import CairnRuntime
package import Testing

extension Tag {
  /// Marks tests that use a process, a port, a thread or a clock. `scripts/test-repeatedly` runs them many times on a busy machine.
  @Tag package static var timing: Self
}

/// Runs the tasks of a test on threads that are reserved for such tests. The default pool of tasks has one thread per core, and computing
/// tests occupy these threads for many seconds. A task that waits for a thread between two requests would miss every
/// deadline of a service.
package struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(TestThreads.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  /// For suites with the tag `timing`.
  package static var ownThreads: Self { OwnThreads() }
}

// A task that a test starts does not inherit the executor of the test. These functions start tasks on that executor.

extension Task where Failure == Never {
  /// A task on the threads of `ownThreads`.
  package static func onOwnThreads(_ operation: @escaping @Sendable () async -> Success) -> Task {
    Task(executorPreference: TestThreads.shared, operation: operation)
  }
}

extension Task where Failure == any Error {
  /// A task on the threads of `ownThreads`.
  package static func onOwnThreads(_ operation: @escaping @Sendable () async throws -> Success) -> Task {
    Task(executorPreference: TestThreads.shared, operation: operation)
  }
}

/// Threads for tests that wait. There are more of them than tests that run simultaneously, because a test may block a thread.
private final class TestThreads: TaskExecutor {
  static let shared = TestThreads(count: 16)
  private let jobs = Monitor<[UnownedJob]>([])

  private init(count: Int) {
    for number in 1...count {
      // An error is ignored, because fewer threads suffice. Without any thread, no such test would run.
      _ = try? NamedThread("test-\(number)") { [self] in
        while true { next().runSynchronously(on: asUnownedTaskExecutor()) }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.change { $0.append(job) }
  }

  private func next() -> UnownedJob {
    while true {
      if let job = jobs.wait({ $0.isEmpty ? nil : $0.removeFirst() }) { return job }
    }
  }
}
