/// A dictionary that forgets what was not used for the longest time, as soon as all together weigh more than a limit. Every operation
/// takes constant time.
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

  /// The newest one is always kept.
  package init(limit: Int) { self.limit = limit }

  /// How many there are.
  package var count: Int { places.count }

  /// Makes it the newest.
  package subscript(key: Key) -> Value? {
    mutating get {
      guard let place = places[key] else { return nil }
      touch(place)
      return slots[place].value
    }
  }

  /// Keeps a value as the newest.
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

  /// Takes it out.
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
