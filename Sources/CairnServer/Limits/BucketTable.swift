/// Buckets by key, in bounded memory. A bucket that was not used while half the table was refilled is dropped, and so is full again. A
/// client with a million addresses gets more than the rate, but no other client is refused because of it.
struct BucketTable<Key: Hashable & Sendable>: Sendable {
  private let rate: Rate
  private let half: Int
  private var young: [Key: TokenBucket] = [:]
  private var old: [Key: TokenBucket] = [:]

  /// At most `capacity` keys.
  init(_ rate: Rate, capacity: Int = 1 << 16) {
    self.rate = rate
    half = max(1, capacity / 2)
  }

  /// Keys that are known now.
  var count: Int { young.count + old.count }

  /// Takes a token of a key's bucket; nil: it was there. Else how many nanoseconds later there is one.
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

  /// How many nanoseconds later there is a token for a key; nil: there is one now.
  func wait(_ key: Key, at now: UInt64) -> UInt64? { (young[key] ?? old[key])?.wait(rate, at: now) }
}
