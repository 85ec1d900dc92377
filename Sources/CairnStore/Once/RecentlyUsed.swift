/// A dictionary with a weight limit. When the total weight exceeds the limit, the least recently used values are removed. Every operation takes
/// constant time.
package struct RecentlyUsed<Key: Hashable, Value> {
  private struct Slot {
    var key: Key
    var value: Value?
    var weight: Int
    var newer: Int?
    var older: Int?
  }

  private let limit: Int
  private var slots: [Slot] = []
  private var places: [Key: Int] = [:]
  private var free: [Int] = []
  private var newest: Int?
  private var oldest: Int?
  /// The total weight.
  package private(set) var weight = 0

  /// The most recently used value is always kept, even if it exceeds the limit.
  package init(limit: Int) { self.limit = limit }

  /// The number of values.
  package var count: Int { places.count }

  /// The value for a key, which becomes the most recently used one.
  package subscript(key: Key) -> Value? {
    mutating get {
      guard let place = places[key] else { return nil }
      touch(place)
      return slots[place].value
    }
  }

  /// Adds or replaces a value, which becomes the most recently used one.
  package mutating func keep(_ value: Value, for key: Key, weight: Int) {
    if let place = places[key] {
      self.weight += weight - slots[place].weight
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
      self.weight += weight
      link(place)
    }
    while self.weight > limit, count > 1, let oldest { forget(slots[oldest].key) }
  }

  /// Removes the value for a key.
  package mutating func forget(_ key: Key) {
    guard let place = places.removeValue(forKey: key) else { return }
    unlink(place)
    weight -= slots[place].weight
    slots[place].value = nil
    free.append(place)
  }

  private mutating func touch(_ place: Int) {
    guard newest != place else { return }
    unlink(place)
    link(place)
  }

  private mutating func link(_ place: Int) {
    slots[place].newer = nil
    slots[place].older = newest
    if let newest { slots[newest].newer = place }
    newest = place
    oldest = oldest ?? place
  }

  private mutating func unlink(_ place: Int) {
    let (newer, older) = (slots[place].newer, slots[place].older)
    if let newer { slots[newer].older = older } else { newest = older }
    if let older { slots[older].newer = newer } else { oldest = newer }
  }
}
