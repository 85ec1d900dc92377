/// Token buckets by key, in bounded memory. A bucket that is not used while other keys fill half of the table is dropped; the key's next
/// bucket is full. So a client with a million addresses can exceed the rate, but never causes the refusal of another client.
struct BucketTable<Key: Hashable & Sendable>: Sendable {
  private let rate: Rate
  private let half: Int
  private var young: [Key: TokenBucket] = [:]
  private var old: [Key: TokenBucket] = [:]

  /// Creates a table. `capacity` is the largest number of keys in memory.
  init(_ rate: Rate, capacity: Int = 1 << 16) {
    self.rate = rate
    half = max(1, capacity / 2)
  }

  /// The number of keys in memory.
  var count: Int { young.count + old.count }

  /// Takes a token from a key's bucket. Returns `nil` on success, otherwise the nanoseconds until a token is available.
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

  /// Returns the nanoseconds until a token for the key is available; `nil` if a token is available now.
  func wait(_ key: Key, at now: UInt64) -> UInt64? { (young[key] ?? old[key])?.wait(rate, at: now) }
}
