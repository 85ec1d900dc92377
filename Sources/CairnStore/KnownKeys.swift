import CairnRuntime

/// The keys under which answers of a session are kept, so that the journal is asked only for a repeat. Every kept answer's key is here; a key whose
/// answer has expired may be too, and costs a query that finds nothing. Any thread.
final class KnownKeys: Sendable {
  /// Words of the keys, ascending; nil: not read from the journal yet.
  private let words = Lock<[UInt64]?>(nil)

  /// The highest number; beyond it the journal is read again, since most are forgotten by then.
  private static let limit = 2 * KeptAnswer.limit

  /// The session starts now: it has none.
  func begin() { words.withLock { $0 = [] } }

  /// One more answer is kept, or will be.
  func add(_ key: Fingerprint) {
    words.withLock { words in
      guard let known = words else { return }
      guard known.count < Self.limit else { return words = nil }
      let place = Self.place(of: key.word, in: known)
      if place == known.count || known[place] != key.word { words?.insert(key.word, at: place) }
    }
  }

  /// Whether an answer may be kept under a key. `all` gives the keys under which some are, and is asked once.
  func mayHold(_ key: Fingerprint, _ all: () throws(StoreFault) -> [Fingerprint]) throws(StoreFault) -> Bool {
    try words.withLock { words throws(StoreFault) in
      if words == nil { words = try all().map(\.word).sorted() }
      guard let words else { return true }
      let place = Self.place(of: key.word, in: words)
      return place < words.count && words[place] == key.word
    }
  }

  /// Where a word is, or belongs.
  private static func place(of word: UInt64, in words: [UInt64]) -> Int {
    var (low, high) = (0, words.count)
    while low < high {
      let middle = (low + high) / 2
      if words[middle] < word { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
