/// The number of existing sessions that each address has created since the start. Memory is bounded: sessions beyond it no longer count, so no client
/// is refused for lack of memory.
struct SessionCounts: Sendable {
  private let limit, half: Int
  private var counts: [IPAddress: Int] = [:]
  private var young: [String: IPAddress] = [:]
  private var old: [String: IPAddress] = [:]

  /// `limit` is the maximum per address, `capacity` the maximum number of sessions that are remembered.
  init(limit: Int, capacity: Int = 1 << 17) {
    self.limit = limit
    half = max(1, capacity / 2)
  }

  /// Counts a session that is about to be created. Returns `false` if the address has too many.
  mutating func reserve(_ address: IPAddress) -> Bool {
    guard counts[address, default: 0] < limit else { return false }
    counts[address, default: 0] += 1
    return true
  }

  /// Releases the count of a session that was not created.
  mutating func release(_ address: IPAddress) {
    if let count = counts[address] { counts[address] = count > 1 ? count - 1 : nil }
  }

  /// Records the id of a counted session.
  mutating func keep(_ session: String, of address: IPAddress) {
    if young.count >= half {
      for address in old.values { release(address) }
      (old, young) = (young, [:])
    }
    young[session] = address
  }

  /// Releases the count of a deleted session.
  mutating func end(_ session: String) {
    if let address = young.removeValue(forKey: session) ?? old.removeValue(forKey: session) { release(address) }
  }
}
