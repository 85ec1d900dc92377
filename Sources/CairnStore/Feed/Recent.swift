/// The newest events, as many as fit, with numbers without a gap.
struct Recent<Item> {
  private var items: [Item] = []
  private var weights: [Int] = []
  /// Those before it were let go.
  private var start = 0
  private var weight = 0
  private let limit: Int
  private let weightLimit: Int
  /// The number of the newest, whether it is still here or not.
  private(set) var newest: Int

  /// `limit`: items; `weight`: in all, by their own estimate; the newest one is kept in any case.
  init(limit: Int, weight: Int, newest: Int = 0) {
    self.limit = limit
    weightLimit = weight
    self.newest = newest
  }

  /// The number of the oldest that is here; that of the next one, if none is.
  var oldest: Int { newest - (items.count - start) + 1 }

  /// Whether all behind a number are here.
  func covers(after number: Int) -> Bool { number >= oldest - 1 && number <= newest }

  /// All behind a number that is covered.
  func items(after number: Int) -> ArraySlice<Item> { items[(items.count - (newest - number))...] }

  /// Adds the next one.
  mutating func add(_ item: Item, weight: Int) {
    items.append(item)
    weights.append(weight)
    newest += 1
    self.weight += weight
    while items.count - start > 1, items.count - start > limit || self.weight > weightLimit {
      self.weight -= weights[start]
      start += 1
    }
    guard start > 32, start * 2 > items.count else { return }
    items.removeFirst(start)
    weights.removeFirst(start)
    start = 0
  }

  /// Lets go of all; the newest, which is not here, has this number.
  mutating func empty(newest: Int) {
    items.removeAll()
    weights.removeAll()
    (start, weight, self.newest) = (0, 0, newest)
  }
}
