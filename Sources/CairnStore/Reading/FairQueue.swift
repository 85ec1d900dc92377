import DequeModule

/// Waiting items, in a queue for each key. The keys take turns, and of each key one item runs at a time: a caller with many requests waits
/// for its own.
struct FairQueue<Item> {
  private var waiting: [String: Deque<Item>] = [:]
  /// The keys that have something waiting and nothing running, the next one first.
  private var turns: Deque<String> = []
  private var running: Set<String> = []
  /// How many wait.
  private(set) var count = 0

  init() {}

  /// Puts something behind all of its key.
  mutating func add(_ item: Item, for key: String) {
    if waiting[key] == nil, !running.contains(key) { turns.append(key) }
    waiting[key, default: []].append(item)
    count += 1
  }

  /// Whether `next` would return something.
  var hasTurn: Bool { !turns.isEmpty }

  /// The next element; its key gets no other turn before `end` or `goOn`.
  mutating func next() -> (item: Item, key: String)? {
    // A key with a turn has something waiting.
    guard let key = turns.popFirst(), let item = waiting[key]?.popFirst() else { return nil }
    if waiting[key]?.isEmpty ?? false { waiting[key] = nil }
    running.insert(key)
    count -= 1
    return (item, key)
  }

  /// Ends the running item of a key.
  mutating func end(_ key: String) {
    running.remove(key)
    if waiting[key] != nil { turns.append(key) }
  }

  /// Continues the item at the next turn of its key, before all others of the key.
  mutating func goOn(_ item: Item, for key: String) {
    running.remove(key)
    waiting[key, default: []].prepend(item)
    turns.append(key)
    count += 1
  }

  /// Takes out all that waits.
  mutating func empty() -> [Item] {
    defer {
      waiting = [:]
      turns = []
      count = 0
    }
    return turns.flatMap { waiting[$0] ?? [] } + running.flatMap { waiting[$0] ?? [] }
  }
}
