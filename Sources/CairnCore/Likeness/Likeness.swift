/// What two states have in common that nobody who plays the app can tell apart: 128 bits of all that counts in them. That two others
/// share them by chance does not happen among billions.
package struct Likeness: Hashable, Sendable {
  package var high: UInt64
  package var low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(low) }
}
