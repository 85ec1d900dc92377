/// A bounded list of the newest items, which have consecutive numbers.
struct Recent<Item> {
  private var items: [Item] = []
  private var weights: [Int] = []
  /// The index of the first valid item. Earlier items have been dropped.
  private var start = 0
  private var weight = 0
  private let limit: Int
  private let weightLimit: Int
  /// The number of the newest item, even if it has been dropped.
  private(set) var newest: Int

  /// Creates a list. `limit` is the maximum number of items, and `weight` their maximum total weight. The newest item is always kept.
  init(limit: Int, weight: Int, newest: Int = 0) {
    self.limit = limit
    weightLimit = weight
    self.newest = newest
  }

  /// The number of the oldest item; if the list is empty, the number of the next item.
  var oldest: Int { newest - (items.count - start) + 1 }

  /// Whether all items after a number are in the list.
  func covers(after number: Int) -> Bool { number >= oldest - 1 && number <= newest }

  /// All items after a number, for which `covers` must be true.
  func items(after number: Int) -> ArraySlice<Item> { items[(items.count - (newest - number))...] }

  /// Appends an item, and drops the oldest items if a limit is exceeded. Returns the newest dropped item; `nil` if none are dropped.
  @discardableResult mutating func add(_ item: Item, weight: Int) -> Item? {
    var dropped: Item?
    items.append(item)
    weights.append(weight)
    newest += 1
    self.weight += weight
    while items.count - start > 1, items.count - start > limit || self.weight > weightLimit {
      self.weight -= weights[start]
      dropped = items[start]
      start += 1
    }
    guard start > 32, start * 2 > items.count else { return dropped }
    items.removeFirst(start)
    weights.removeFirst(start)
    start = 0
    return dropped
  }

  /// Replaces each item for which `change` returns a new one. The weights are not changed.
  mutating func replace(_ change: (Item) -> Item?) {
    for index in start..<items.count { if let other = change(items[index]) { items[index] = other } }
  }

  /// Removes all items. `newest` becomes the number of the newest item, which is not in the list.
  mutating func empty(newest: Int) {
    items.removeAll()
    weights.removeAll()
    (start, weight, self.newest) = (0, 0, newest)
  }
}
