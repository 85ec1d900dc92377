import CairnCore

/// Effects by the time when they have to be looked at: a binary heap, earliest first; at the same time by creation.
/// One that is not meant any more stays in until its time comes; who takes it out has to know.
struct DueQueue {
  struct Item: Hashable {
    /// Milliseconds since 1970.
    var due: Int
    var key: EffectKey

    func isBefore(_ other: Item) -> Bool {
      due != other.due
        ? due < other.due
        : key.effect != other.key.effect ? key.effect < other.key.effect : key.session < other.key.session
    }
  }

  private var items: [Item] = []

  var earliest: Item? { items.first }

  mutating func insert(_ item: Item) {
    items.append(item)
    var child = items.count - 1
    while child > 0, items[child].isBefore(items[(child - 1) / 2]) {
      items.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the earliest out, if it is due at `time`.
  mutating func take(at time: Int) -> Item? {
    guard let first = items.first, first.due <= time else { return nil }
    let last = items.removeLast()
    guard !items.isEmpty else { return first }
    items[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < items.count else { break }
      if child + 1 < items.count, items[child + 1].isBefore(items[child]) { child += 1 }
      guard items[child].isBefore(items[parent]) else { break }
      items.swapAt(child, parent)
      parent = child
    }
    return first
  }
}
