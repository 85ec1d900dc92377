import Testing

@testable import CairnClient

@Suite struct `Retry policy` {
  private let policy = RetryPolicy(attempts: 3, first: .milliseconds(100), longest: .seconds(1))

  @Test func `there is a wait after each attempt except for the last`() {
    #expect((1...4).map { policy.wait(after: $0, asked: nil) != nil } == [true, true, false, false])
    #expect(RetryPolicy.never.wait(after: 1, asked: nil) == nil && RetryPolicy.never.wait(after: 1, asked: .zero) == nil)
  }

  @Test func `each wait is between half and all of a duration that doubles up to the maximum`() {
    for (attempt, full) in [(1, 100), (2, 200), (3, 400), (4, 800), (5, 1_000), (6, 1_000), (200, 1_000), (Int.max, 1_000)] {
      for _ in 0..<50 {
        let wait = policy.backOff(attempt)
        #expect(wait >= .milliseconds(full) / 2 && wait <= .milliseconds(full), "attempt \(attempt)")
      }
    }
    #expect(policy.backOff(0) <= .milliseconds(100) && policy.backOff(-1) <= .milliseconds(100))
  }

  @Test func `waits are random`() {
    #expect(Set((0..<50).map { _ in policy.backOff(5) }).count > 1)
  }

  @Test func `Retry-After of a response is respected, up to the maximum wait`() {
    #expect(policy.wait(after: 1, asked: .seconds(1)) == .seconds(1))
    #expect(policy.wait(after: 1, asked: .milliseconds(1_001)) == nil)
    let short = policy.wait(after: 1, asked: .zero)
    #expect(short.map { $0 >= .milliseconds(50) } == true)
    let negative = policy.wait(after: 1, asked: .seconds(-5))
    #expect(negative.map { $0 >= .milliseconds(50) } == true)
  }
}
