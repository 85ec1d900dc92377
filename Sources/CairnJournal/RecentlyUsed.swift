/// A dictionary with a weight limit. When the total weight exceeds the limit, the least recently used values are removed. Every operation takes
/// constant time.
///
/// Public, because the compiler specializes `@inlinable` functions of a generic type in other modules only if they are public.
public struct RecentlyUsed<Key: Hashable, Value> {
  @usableFromInline struct Slot {
    @usableFromInline var key: Key
    @usableFromInline var value: Value?
    @usableFromInline var weight: Int
    @usableFromInline var newer: Int?
    @usableFromInline var older: Int?

    @inlinable init(key: Key, value: Value?, weight: Int) {
      self.key = key
      self.value = value
      self.weight = weight
    }
  }

  @usableFromInline let limit: Int
  @usableFromInline var slots: [Slot] = []
  @usableFromInline var places: [Key: Int] = [:]
  @usableFromInline var free: [Int] = []
  @usableFromInline var newest: Int?
  @usableFromInline var oldest: Int?
  @usableFromInline var total = 0

  /// Creates an empty dictionary. The most recently used value is always kept, even if its weight exceeds `limit`.
  @inlinable public init(limit: Int) { self.limit = limit }

  /// The total weight of all values.
  @inlinable public var weight: Int { total }

  /// The number of values.
  @inlinable public var count: Int { places.count }

  /// The value for a key, which becomes the most recently used value; `nil` if the key has no value.
  @inlinable public subscript(key: Key) -> Value? {
    mutating get {
      guard let place = places[key] else { return nil }
      touch(place)
      return slots[place].value
    }
  }

  /// Adds or replaces a value, which becomes the most recently used value.
  @inlinable public mutating func keep(_ value: Value, for key: Key, weight: Int) {
    if let place = places[key] {
      total += weight - slots[place].weight
      slots[place].value = value
      slots[place].weight = weight
      touch(place)
    } else {
      let slot = Slot(key: key, value: value, weight: weight)
      let place: Int
      if let reused = free.popLast() {
        place = reused
        slots[place] = slot
      } else {
        place = slots.count
        slots.append(slot)
      }
      places[key] = place
      total += weight
      link(place)
    }
    while total > limit, count > 1, let oldest { forget(slots[oldest].key) }
  }

  /// Removes the value for a key.
  @inlinable public mutating func forget(_ key: Key) {
    guard let place = places.removeValue(forKey: key) else { return }
    unlink(place)
    total -= slots[place].weight
    slots[place].value = nil
    free.append(place)
  }

  @inlinable mutating func touch(_ place: Int) {
    guard newest != place else { return }
    unlink(place)
    link(place)
  }

  @inlinable mutating func link(_ place: Int) {
    slots[place].newer = nil
    slots[place].older = newest
    if let newest { slots[newest].newer = place }
    newest = place
    oldest = oldest ?? place
  }

  @inlinable mutating func unlink(_ place: Int) {
    let (newer, older) = (slots[place].newer, slots[place].older)
    if let newer { slots[newer].older = older } else { newest = older }
    if let older { slots[older].newer = newer } else { oldest = newer }
  }
}
