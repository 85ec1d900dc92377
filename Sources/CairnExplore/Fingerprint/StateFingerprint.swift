/// A state fingerprint: 128 bits over everything in which `explore` distinguishes two states. Among billions of states, a collision is practically
/// impossible.
struct StateFingerprint: Hashable, Sendable {
  let high: UInt64
  let low: UInt64

  func hash(into hasher: inout Hasher) { hasher.combine(low) }
}
