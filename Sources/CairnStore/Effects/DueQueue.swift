import CairnCore

/// A priority queue of keys by due time, implemented as a binary heap. Keys with the same due time are ordered by the creation of their
/// effects. Each key occurs at most once, and can be moved or removed at any position.
struct DueQueue {
  private struct Item {
    /// The due time in milliseconds since 1970.
    var due: Int
    var slot: Int
  }

  private var items: [Item] = []
  /// The key of each slot, and its index in `items`.
  private var slots: [(key: EffectKey, place: Int)] = []
  private var free: [Int] = []
  private var known: [EffectKey: Int] = [:]

  /// The earliest due time; `nil` if the queue is empty.
  var earliest: Int? { items.first?.due }

  var count: Int { items.count }

  /// Adds a key or changes its due time. Removes the key if `due` is `nil`.
  mutating func set(_ key: EffectKey, due: Int?) {
    guard let due else { return remove(key) }
    if let slot = known[key] {
      let place = slots[slot].place
      let before = items[place].due
      guard before != due else { return }
      items[place].due = due
      if due < before { rise(place) } else { sink(place) }
      return
    }
    let slot: Int
    if let reused = free.popLast() {
      slot = reused
      slots[slot] = (key, items.count)
    } else {
      slot = slots.count
      slots.append((key, items.count))
    }
    known[key] = slot
    items.append(Item(due: due, slot: slot))
    rise(items.count - 1)
  }

  /// Removes and returns the first key if it is due at `time`. Otherwise returns `nil`.
  mutating func take(at time: Int) -> EffectKey? {
    guard let first = items.first, first.due <= time else { return nil }
    let key = slots[first.slot].key
    remove(key)
    return key
  }

  private mutating func remove(_ key: EffectKey) {
    guard let slot = known.removeValue(forKey: key) else { return }
    free.append(slot)
    let place = slots[slot].place
    let last = items.removeLast()
    guard place < items.count else { return }
    put(last, at: place)
    rise(place)
    sink(slots[last.slot].place)
  }

  private mutating func rise(_ start: Int) {
    let item = items[start]
    var place = start
    while place > 0, isBefore(item, items[(place - 1) / 2]) {
      put(items[(place - 1) / 2], at: place)
      place = (place - 1) / 2
    }
    put(item, at: place)
  }

  private mutating func sink(_ start: Int) {
    let item = items[start]
    var place = start
    while true {
      var child = 2 * place + 1
      guard child < items.count else { break }
      if child + 1 < items.count, isBefore(items[child + 1], items[child]) { child += 1 }
      guard isBefore(items[child], item) else { break }
      put(items[child], at: place)
      place = child
    }
    put(item, at: place)
  }

  private mutating func put(_ item: Item, at place: Int) {
    items[place] = item
    slots[item.slot].place = place
  }

  private func isBefore(_ one: Item, _ other: Item) -> Bool {
    guard one.due == other.due else { return one.due < other.due }
    let (left, right) = (slots[one.slot].key, slots[other.slot].key)
    return left.effect != right.effect ? Effect.comes(left.effect, before: right.effect) : left.session < right.session
  }
}
