import CairnJournal
import CairnRuntime

/// The keys under which responses of a session are stored, so that the journal is read only for repetitions. The keys of all stored
/// responses are included. Keys of expired responses may remain; each costs a query without a result. Thread-safe.
final class KnownKeys: Sendable {
  /// The first 64 bits of each key, ascending; `nil` until they have been read from the journal.
  private let words = Lock<[UInt64]?>(nil)

  /// The maximum number of keys. If it is exceeded, the keys are read again from the journal, because most responses have expired by then.
  private static let limit = 2 * KeptAnswer.limit

  /// Starts with no keys, for a new session.
  func begin() { words.withLock { $0 = [] } }

  /// Makes the keys unknown, because another node has stored one.
  func forget() { words.withLock { $0 = nil } }

  /// Adds the key of a response that is or will be stored.
  func add(_ key: Fingerprint) {
    words.withLock { words in
      guard let known = words else { return }
      guard known.count < Self.limit else { return words = nil }
      let place = Self.place(of: key.word, in: known)
      if place == known.count || known[place] != key.word { words?.insert(key.word, at: place) }
    }
  }

  /// Whether a response may be stored under a key. `all` returns the stored keys, and is only called if they are unknown.
  func mayHold(_ key: Fingerprint, _ all: () throws(StoreFault) -> [Fingerprint]) throws(StoreFault) -> Bool {
    try words.withLock { words throws(StoreFault) in
      if words == nil { words = try all().map(\.word).sorted() }
      guard let words else { return true }
      let place = Self.place(of: key.word, in: words)
      return place < words.count && words[place] == key.word
    }
  }

  /// The index of a word in the sorted list, or the index at which to insert it.
  private static func place(of word: UInt64, in words: [UInt64]) -> Int {
    var (low, high) = (0, words.count)
    while low < high {
      let middle = (low + high) / 2
      if words[middle] < word { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
