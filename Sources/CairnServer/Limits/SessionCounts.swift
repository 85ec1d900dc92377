/// The number of existing sessions that each address has created since the start. Memory is bounded: above `capacity` sessions, the oldest
/// are no longer counted, so that no client is refused because memory is full.
struct SessionCounts: Sendable {
  private let limit, half: Int
  private var counts: [IPAddress: Int] = [:]
  private var young: [String: IPAddress] = [:]
  private var old: [String: IPAddress] = [:]

  /// Creates the counts. `limit` is the largest number of sessions per address, `capacity` the largest number of sessions in memory.
  init(limit: Int, capacity: Int = 1 << 17) {
    self.limit = limit
    half = max(1, capacity / 2)
  }

  /// Counts a session that is about to be created; returns false if the address has reached the limit.
  mutating func reserve(_ address: IPAddress) -> Bool {
    guard counts[address, default: 0] < limit else { return false }
    counts[address, default: 0] += 1
    return true
  }

  /// Stops counting a reserved session that was not created.
  mutating func release(_ address: IPAddress) {
    if let count = counts[address] { counts[address] = count > 1 ? count - 1 : nil }
  }

  /// Records the id of a reserved session.
  mutating func keep(_ session: String, of address: IPAddress) {
    if young.count >= half {
      for address in old.values { release(address) }
      (old, young) = (young, [:])
    }
    young[session] = address
  }

  /// Stops counting a session that has ended. Unknown ids are ignored.
  mutating func end(_ session: String) {
    if let address = young.removeValue(forKey: session) ?? old.removeValue(forKey: session) { release(address) }
  }
}
