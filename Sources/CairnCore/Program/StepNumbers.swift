/// A hash table from the names of steps to their numbers. `Dictionary` has an expensive hash because attackers may choose its keys. Here the
/// keys come from the definition, so a cheap hash suffices: a posted name can only cause comparisons. Immutable.
struct StepNumbers: Sendable {
  private let names: [String]
  /// Open addressing by the hash of the name. A slot contains the step's number, or -1 if it is empty.
  private let slots: [Int32]

  /// Creates the table. The number of a name is its index in `names`. At most half of the slots are used, so every search ends at an empty slot.
  init(_ names: [String]) {
    self.names = names
    var count = 2
    while count < names.count * 2 { count *= 2 }
    var slots = [Int32](repeating: -1, count: count)
    for (number, name) in names.enumerated() {
      var slot = Self.sum(name) & (count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (count - 1) }
      slots[slot] = Int32(number)
    }
    self.slots = slots
  }

  /// The number of the step whose name has the same bytes; `nil` if there is none.
  subscript(name: String) -> Int? {
    var slot = Self.sum(name) & (slots.count - 1)
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      if names[number].isExactly(name) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// A hash of the length and the first and last eight bytes, or of all bytes if there are fewer than eight.
  private static func sum(_ name: String) -> Int {
    var name = name
    return name.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      var sum = UInt64(bytes.count)
      if bytes.count >= 8 {
        sum ^= bytes.loadUnaligned(as: UInt64.self)
        sum = sum &* 0x9E37_79B9_7F4A_7C15 ^ bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
      } else {
        for byte in bytes { sum = sum << 8 ^ UInt64(byte) }
      }
      return Int(truncatingIfNeeded: sum &* 0x9E37_79B9_7F4A_7C15 >> 40)
    }
  }
}
