import DequeModule

/// A queue of items with keys. The keys take turns, and only one item per key runs at a time, so many items of one key do not delay those
/// of others.
struct FairQueue<Item> {
  private var waiting: [String: Deque<Item>] = [:]
  /// The keys with waiting items and without a running item, in the order of their turns.
  private var turns: Deque<String> = []
  private var running: Set<String> = []
  private(set) var count = 0

  init() {}

  /// Appends an item to the items of its key.
  mutating func add(_ item: Item, for key: String) {
    if waiting[key] == nil, !running.contains(key) { turns.append(key) }
    waiting[key, default: []].append(item)
    count += 1
  }

  /// Whether `next` would return an item.
  var hasTurn: Bool { !turns.isEmpty }

  /// The next item; `nil` if no key has a turn. The item's key gets no other turn until `end` or `goOn` is called.
  mutating func next() -> (item: Item, key: String)? {
    // Keys in `turns` have waiting items.
    guard let key = turns.popFirst(), let item = waiting[key]?.popFirst() else { return nil }
    if waiting[key]?.isEmpty ?? false { waiting[key] = nil }
    running.insert(key)
    count -= 1
    return (item, key)
  }

  /// Marks the running item of a key as finished.
  mutating func end(_ key: String) {
    running.remove(key)
    if waiting[key] != nil { turns.append(key) }
  }

  /// Returns the running item to the queue. It continues at the next turn of its key, before the key's other items.
  mutating func goOn(_ item: Item, for key: String) {
    running.remove(key)
    waiting[key, default: []].prepend(item)
    turns.append(key)
    count += 1
  }

  /// Removes and returns all waiting items.
  mutating func empty() -> [Item] {
    defer {
      waiting = [:]
      turns = []
      count = 0
    }
    return turns.flatMap { waiting[$0] ?? [] } + running.flatMap { waiting[$0] ?? [] }
  }
}
