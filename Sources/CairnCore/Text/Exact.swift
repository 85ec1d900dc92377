// Swift considers canonically equivalent strings equal, such as a decomposed and a composed `é`. These functions compare bytes instead, so that
// results do not depend on how a client or a database composes characters.
extension String {
  /// Whether both strings have the same UTF-8 bytes.
  package func isExactly(_ other: String) -> Bool {
    utf8.withContiguousStorageIfAvailable { one in
      other.utf8.withContiguousStorageIfAvailable { two in Self.areSame(UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(two)) }
    }.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
  }

  /// Compares eight bytes at a time, because names are compared for every step and node.
  @inline(__always)
  private static func areSame(_ one: UnsafeRawBufferPointer, _ two: UnsafeRawBufferPointer) -> Bool {
    guard one.count == two.count else { return false }
    var place = 0
    while place + 8 <= one.count {
      let isSame = one.loadUnaligned(fromByteOffset: place, as: UInt64.self) == two.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      guard isSame else { return false }
      place += 8
    }
    while place < one.count {
      guard one[place] == two[place] else { return false }
      place += 1
    }
    return true
  }
}

extension Dictionary where Key == String {
  /// The value whose key has the same bytes as `name`; `nil` if there is none.
  package func value(exactly name: String) -> Value? {
    guard let place = index(forKey: name), self[place].key.isExactly(name) else { return nil }
    return self[place].value
  }

  /// Whether a key has the same bytes as `name`. Comparing `value(exactly:)` with `nil` would compile the `==` of the values into the
  /// engine, which makes the engine larger.
  package func contains(exactly name: String) -> Bool {
    index(forKey: name).map { self[$0].key.isExactly(name) } ?? false
  }
}

extension Dictionary where Key == String, Value: Equatable {
  /// Whether both dictionaries have the same keys, byte by byte, with equal values.
  package func isExactly(_ other: [String: Value]) -> Bool {
    count == other.count
      && allSatisfy { name, value in
        guard let place = other.index(forKey: name) else { return false }
        return other[place].key.isExactly(name) && other[place].value == value
      }
  }
}

extension String? {
  /// Whether both have the same bytes, or both are `nil`.
  package func isExactly(_ other: String?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let one?, let other?): one.isExactly(other)
    default: false
    }
  }
}
