package import CairnCore
import CairnRuntime

/// The live event of an entry. A class, so that all subscribers share the event and its rendered bytes.
package final class Occurrence: Sendable {
  /// The session that the entry belongs to.
  package let birth: Birth
  package let entry: Entry
  /// The hash of the session's definition, if the entry set it.
  package let definition: String?
  package let transition: Transition
  /// The hash of the entry.
  package let hash: UInt64
  /// The approximate size in memory, in bytes.
  let weight: Int
  private let kept = Lock(Kept())

  private struct Kept {
    var bytes: [UInt8]?
    var bytesWithPredictions: [UInt8]?
    /// The state after the entry; `nil` if the session has a newer entry, or if the state is unknown.
    var basis: PredictionBasis?
  }

  /// `size` is the size of the entry's state difference in bytes.
  package init(_ birth: Birth, _ entry: Entry, definition: String? = nil, _ transition: Transition, hash: UInt64, size: Int = 0) {
    self.birth = birth
    self.hash = hash
    self.entry = entry
    self.definition = definition
    self.transition = transition
    weight = 1_000 + 8 * size
  }

  /// The revision that the entry created.
  package var revision: Int { entry.revision }

  /// The hash of the definition to which the entry moved the session; `nil` if the session has it from its beginning, or had it before.
  package var newDefinition: String? { revision > 1 ? definition : nil }

  /// The cursor for resuming after this event.
  package var tag: RevisionTag { RevisionTag(revision, hash: hash) }

  /// The bytes that `make` returned at the first call. They are cached for all subscribers. Any thread.
  package func bytes(_ make: (Occurrence) -> [UInt8]) -> [UInt8] {
    kept.withLock { kept in
      if let bytes = kept.bytes { return bytes }
      let bytes = make(self)
      kept.bytes = bytes
      return bytes
    }
  }

  /// The bytes that `make` returned at the first call, for the subscribers that want predictions. Predictions are for the newest state, so `make` receives
  /// `nil` if the session has a newer entry. Any thread.
  package func bytesWithPredictions(_ make: (Occurrence, PredictionBasis?) -> [UInt8]) -> [UInt8] {
    kept.withLock { kept in
      if let bytes = kept.bytesWithPredictions { return bytes }
      let bytes = make(self, kept.basis)
      kept.bytesWithPredictions = bytes
      return bytes
    }
  }

  /// Sets the state after the entry. `nil` releases it, once the session has a newer entry or no subscribers.
  func setBasis(_ basis: PredictionBasis?) { kept.withLock { $0.basis = basis } }
}
