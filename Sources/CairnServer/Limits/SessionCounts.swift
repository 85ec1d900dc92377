/// The number of living sessions that each address has started, as far as it is known: since the start, and for a bounded number of
/// sessions. Dropped ones no longer count, so that no client is refused for lack of memory.
struct SessionCounts: Sendable {
  private let limit, half: Int
  private var counts: [IPAddress: Int] = [:]
  private var young: [String: IPAddress] = [:]
  private var old: [String: IPAddress] = [:]

  /// `limit`: an address; `capacity`: sessions that are kept in mind.
  init(limit: Int, capacity: Int = 1 << 17) {
    self.limit = limit
    half = max(1, capacity / 2)
  }

  /// Counts a session that is about to start; false: there are as many as there may be.
  mutating func reserve(_ address: IPAddress) -> Bool {
    guard counts[address, default: 0] < limit else { return false }
    counts[address, default: 0] += 1
    return true
  }

  /// The session that was counted did not start.
  mutating func release(_ address: IPAddress) {
    if let count = counts[address] { counts[address] = count > 1 ? count - 1 : nil }
  }

  /// The session that was counted has this id.
  mutating func keep(_ session: String, of address: IPAddress) {
    if young.count >= half {
      for address in old.values { release(address) }
      (old, young) = (young, [:])
    }
    young[session] = address
  }

  /// A session of any address has ended.
  mutating func end(_ session: String) {
    if let address = young.removeValue(forKey: session) ?? old.removeValue(forKey: session) { release(address) }
  }
}
