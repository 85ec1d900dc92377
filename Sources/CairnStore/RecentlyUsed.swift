/// A dictionary that forgets what was not used for the longest time. Every operation takes constant time.
struct RecentlyUsed<Key: Hashable, Value> {
  private struct Slot {
    var key: Key
    var value: Value?
    var newer: Int?
    var older: Int?
  }

  private let capacity: Int
  private var slots: [Slot] = []
  private var places: [Key: Int] = [:]
  private var free: [Int] = []
  private var newest: Int?
  private var oldest: Int?

  /// At least one is kept.
  init(capacity: Int) { self.capacity = max(1, capacity) }

  var count: Int { places.count }

  /// Reading and writing make it the newest; nil takes it out.
  subscript(key: Key) -> Value? {
    mutating get {
      guard let place = places[key] else { return nil }
      touch(place)
      return slots[place].value
    }
    set {
      guard let newValue else { return remove(key) }
      if let place = places[key] {
        slots[place].value = newValue
        return touch(place)
      }
      if places.count >= capacity, let oldest { remove(slots[oldest].key) }
      let slot = Slot(key: key, value: newValue)
      let place: Int
      if let reused = free.popLast() {
        place = reused
        slots[place] = slot
      } else {
        place = slots.count
        slots.append(slot)
      }
      places[key] = place
      link(place)
    }
  }

  private mutating func touch(_ place: Int) {
    guard newest != place else { return }
    unlink(place)
    link(place)
  }

  private mutating func remove(_ key: Key) {
    guard let place = places.removeValue(forKey: key) else { return }
    unlink(place)
    slots[place].value = nil
    free.append(place)
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
