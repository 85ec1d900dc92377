import DequeModule

/// What waits, in a queue for each key. The keys have their turns, one after the other, and of a key one thing runs at a time: who asks for
/// much waits behind himself.
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

  /// What comes next; its key has no other turn before `end` or `goOn`.
  mutating func next() -> (item: Item, key: String)? {
    // A key with a turn has something waiting.
    guard let key = turns.popFirst(), let item = waiting[key]?.popFirst() else { return nil }
    if waiting[key]?.isEmpty ?? false { waiting[key] = nil }
    running.insert(key)
    count -= 1
    return (item, key)
  }

  /// What ran is over.
  mutating func end(_ key: String) {
    running.remove(key)
    if waiting[key] != nil { turns.append(key) }
  }

  /// What ran goes on when its key has its turn again, before all others of the key.
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
