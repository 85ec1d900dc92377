import CairnTesting
import Testing

@testable import CairnServer

@Suite struct `Token bucket` {
  /// A manual clock in milliseconds. `now` converts its time to nanoseconds.
  private let clock = ManualClock(1_000_000)
  private var now: UInt64 { UInt64(clock.now()) * 1_000_000 }

  @Test(arguments: [("100/s", 100, 1), ("1/m", 1, 60), ("5/h", 5, 3_600), ("1000000/d", 1_000_000, 86_400)] as [(String, Int, UInt64)])
  func `a rate is a number of tokens per period`(text: String, count: Int, seconds: UInt64) {
    #expect(Rate(text)?.count == count && Rate(text)?.period == seconds * 1_000_000_000)
  }

  @Test(arguments: ["", "1", "/s", "0/s", "-1/s", "1/", "1/w", "1/s/s", "x/s", "1.5/s", "1000001/s", " 1/s", "99999999999999999999/s"])
  func `a malformed rate is rejected`(text: String) { #expect(Rate(text) == nil) }

  @Test func `the burst is bounded, tokens return one by one, and a long pause adds no more than the burst`() throws {
    let rate = try #require(Rate("10/s"))
    var bucket = TokenBucket()
    for _ in 1...10 { #expect(bucket.take(rate, at: now) == nil) }
    #expect(bucket.take(rate, at: now) == 100_000_000)
    clock.advance(by: 99)
    #expect(bucket.take(rate, at: now) == 1_000_000)
    clock.advance(by: 1)
    #expect(bucket.take(rate, at: now) == nil)
    #expect(bucket.take(rate, at: now) != nil)
    clock.advance(by: 3_600_000)
    for _ in 1...10 { #expect(bucket.take(rate, at: now) == nil) }
    #expect(bucket.take(rate, at: now) != nil)
  }

  @Test func `rejected requests do not extend the wait`() throws {
    let rate = try #require(Rate("1/s"))
    var bucket = TokenBucket()
    #expect(bucket.take(rate, at: now) == nil)
    for _ in 1...1_000 { #expect(bucket.take(rate, at: now) == 1_000_000_000) }
    clock.advance(by: 1_000)
    #expect(bucket.take(rate, at: now) == nil)
  }

  @Test func `a table is bounded with any number of keys, and rejects no client because of another`() throws {
    var table = BucketTable<Int>(try #require(Rate("1/h")), capacity: 100)
    for key in 0..<10_000 {
      #expect(table.take(key, at: now) == nil)
      #expect(table.count <= 100)
    }
    #expect(table.take(9_999, at: now) != nil)
  }

  @Test func `a key that is in use is not evicted by keys that were used once`() throws {
    var table = BucketTable<Int>(try #require(Rate("1/h")), capacity: 100)
    #expect(table.take(-1, at: now) == nil)
    for key in 0..<1_000 {
      #expect(table.take(-1, at: now) != nil)
      _ = table.take(key, at: now)
    }
  }

  @Test func `the number of sessions per address is limited, and ended or failed ones do not count`() throws {
    var counts = SessionCounts(limit: 2)
    func reserve(_ address: IPAddress) -> Bool { counts.reserve(address) }
    let (one, other) = (try #require(IPAddress("192.0.2.1")), try #require(IPAddress("192.0.2.2")))
    #expect([reserve(one), reserve(one), reserve(one)] == [true, true, false])
    #expect(reserve(other))
    counts.release(one)
    #expect([reserve(one), reserve(one)] == [true, false])
    counts.keep("a", of: one)
    counts.keep("b", of: one)
    counts.end("a")
    counts.end("a")
    #expect([reserve(one), reserve(one)] == [true, false])
  }

  @Test func `sessions evicted for lack of memory do not count`() throws {
    var counts = SessionCounts(limit: 1, capacity: 4)
    func reserve(_ address: IPAddress) -> Bool { counts.reserve(address) }
    let one = try #require(IPAddress("192.0.2.1"))
    #expect(reserve(one))
    counts.keep("a", of: one)
    #expect(reserve(one) == false)
    for number in 0..<6 {
      let other = try #require(IPAddress("198.51.100.\(number)"))
      #expect(reserve(other))
      counts.keep("other\(number)", of: other)
    }
    #expect(reserve(one))
  }
}
