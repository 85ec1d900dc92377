package import CairnCore
import CairnRuntime

/// The live event of an entry. A class, so that all subscribers share the event and its rendered bytes.
package final class Occurrence: Sendable {
  /// The session that the entry belongs to.
  package let birth: Birth
  package let entry: Entry
  package let transition: Transition
  /// The hash of the entry.
  package let hash: UInt64
  /// The approximate size in memory, in bytes.
  let weight: Int
  private let kept = Lock<[UInt8]?>(nil)

  /// `size` is the size of the entry's state difference in bytes.
  package init(_ birth: Birth, _ entry: Entry, _ transition: Transition, hash: UInt64, size: Int = 0) {
    self.birth = birth
    self.hash = hash
    self.entry = entry
    self.transition = transition
    weight = 1_000 + 8 * size
  }

  /// The revision that the entry created.
  package var revision: Int { entry.revision }

  /// The cursor for resuming after this event.
  package var tag: RevisionTag { RevisionTag(revision, hash: hash) }

  /// The bytes that `make` returned at the first call. They are cached for all subscribers. Any thread.
  package func bytes(_ make: (Occurrence) -> [UInt8]) -> [UInt8] {
    kept.withLock { kept in
      if let kept { return kept }
      let bytes = make(self)
      kept = bytes
      return bytes
    }
  }
}
