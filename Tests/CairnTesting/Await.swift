import CairnRuntime

/// Something that a test waited for did not come.
package struct NeverCame: Error {
  package init() {}
}

/// A place for one answer; the test blocks until it is there.
package final class Awaited<Answer: Sendable>: Sendable {
  private let answers = Monitor<[Answer]>([])

  package init() {}

  /// Any thread.
  package func give(_ answer: Answer) { answers.change { $0.append(answer) } }

  /// The answers so far: more than one is a broken promise.
  package var count: Int { answers.withLock { $0.count } }

  /// The first answer; half a minute is taken for never.
  package func value() throws -> Answer {
    guard let answer = answers.wait(until: Monotonic.deadline(after: .seconds(30)), \.first) else { throw NeverCame() }
    return answer
  }
}

/// Blocks until `call` has given its answer.
package func awaiting<Answer: Sendable>(_ call: (@escaping @Sendable (Answer) -> Void) -> Void) throws -> Answer {
  let awaited = Awaited<Answer>()
  call { awaited.give($0) }
  return try awaited.value()
}

/// Blocks until something holds, looked at every millisecond; half a minute is taken for never.
package func wait(until holds: () throws -> Bool) throws {
  let deadline = Monotonic.deadline(after: .seconds(30))
  while try !holds() {
    guard Monotonic.now() < deadline else { throw NeverCame() }
    let never = Monitor(())
    let _: Void? = never.wait(until: Monotonic.now() + 1_000_000) { _ in nil }
  }
}
