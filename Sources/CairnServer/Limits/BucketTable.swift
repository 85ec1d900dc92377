/// Token buckets by key, in bounded memory. A bucket that has not been used while half the table was filled again is dropped, and is full the next
/// time. A client with a million addresses therefore exceeds the rate, but no other client is refused because of it.
struct BucketTable<Key: Hashable & Sendable>: Sendable {
  private let rate: Rate
  private let half: Int
  private var young: [Key: TokenBucket] = [:]
  private var old: [Key: TokenBucket] = [:]

  /// `capacity` is the maximum number of keys.
  init(_ rate: Rate, capacity: Int = 1 << 16) {
    self.rate = rate
    half = max(1, capacity / 2)
  }

  /// The number of keys in the table.
  var count: Int { young.count + old.count }

  /// Takes a token from a key's bucket. Returns `nil` if it had one, otherwise the nanoseconds until the next token.
  mutating func take(_ key: Key, at now: UInt64) -> UInt64? {
    var bucket = young[key] ?? old[key] ?? TokenBucket()
    let wait = bucket.take(rate, at: now)
    if young[key] == nil {
      if young.count >= half { (old, young) = (young, [:]) }
      old[key] = nil
    }
    young[key] = bucket
    return wait
  }

  /// The nanoseconds until a key's bucket has a token; `nil` if it has one now.
  func wait(_ key: Key, at now: UInt64) -> UInt64? { (young[key] ?? old[key])?.wait(rate, at: now) }
}
