package import CairnCore
import CairnRuntime

/// What an entry did to a session, as those hear it who listen. An object: all of them share it, and what was made of it.
package final class Occurrence: Sendable {
  /// Whose entry it is.
  package let birth: Birth
  package let entry: Entry
  package let transition: Transition
  /// The entry's.
  package let hash: UInt64
  /// About how many bytes it takes in memory.
  let weight: Int
  private let kept = Lock<[UInt8]?>(nil)

  /// `size`: of what changed in the state, in bytes.
  package init(_ birth: Birth, _ entry: Entry, _ transition: Transition, hash: UInt64, size: Int = 0) {
    self.birth = birth
    self.hash = hash
    self.entry = entry
    self.transition = transition
    weight = 1_000 + 8 * size
  }

  /// The revision that it made.
  package var revision: Int { entry.revision }

  /// The cursor behind it.
  package var tag: RevisionTag { RevisionTag(revision, hash: hash) }

  /// What `make` gives, made for the first who asks and kept for all others. Any thread.
  package func bytes(_ make: (Occurrence) -> [UInt8]) -> [UInt8] {
    kept.withLock { kept in
      if let kept { return kept }
      let bytes = make(self)
      kept = bytes
      return bytes
    }
  }
}
