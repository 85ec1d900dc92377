/// What two states have in common that nobody who plays the app can tell apart: 128 bits of all that counts in them. That two others
/// share them by chance does not happen among billions.
struct Likeness: Hashable, Sendable {
  let high: UInt64
  let low: UInt64

  func hash(into hasher: inout Hasher) { hasher.combine(low) }
}
