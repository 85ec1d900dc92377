/// The fingerprint of a state: 128 bits over everything that a player of the app can distinguish. Two different states share one by chance
/// less than once in billions of states.
struct Likeness: Hashable, Sendable {
  let high: UInt64
  let low: UInt64

  func hash(into hasher: inout Hasher) { hasher.combine(low) }
}
