/// The numbers of a definition's steps by name. Dictionaries use a keyed hash against attackers who choose keys. Here the keys come from the
/// definition, so a cheap sum of bytes is sufficient: a posted name with the same sum costs one more comparison. Immutable.
struct StepNumbers: Sendable {
  private let names: [String]
  /// The number at the sum of a name or, if that slot is used, at one of the next slots; -1 for an empty slot.
  private let slots: [Int32]

  /// A name's number is its index. At most half of the slots are used, so every search ends at an empty one.
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

  /// The number of a step; `nil` if there is no step with this name.
  subscript(name: String) -> Int? {
    var slot = Self.sum(name) & (slots.count - 1)
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      if names[number].isExactly(name) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// A sum of the length, the first eight bytes and the last eight.
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
