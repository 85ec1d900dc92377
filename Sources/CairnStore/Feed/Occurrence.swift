package import CairnCore
import CairnRuntime

/// The live event of an entry. An object: all subscribers share it and its rendered bytes.
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

  /// The result of `make`, which is called at the first request and kept for all others. Any thread.
  package func bytes(_ make: (Occurrence) -> [UInt8]) -> [UInt8] {
    kept.withLock { kept in
      if let kept { return kept }
      let bytes = make(self)
      kept = bytes
      return bytes
    }
  }
}
