package import CairnCore
package import CairnJournal
import CairnRuntime

/// The live event of an entry. A class, so that all subscribers share the event and its rendered bytes.
package final class Occurrence: Sendable {
  /// The session that the entry belongs to.
  package let identity: SessionIdentity
  package let entry: Entry
  /// The hash of the session's definition, if the entry set it; otherwise `nil`.
  package let definition: String?
  package let transition: Transition
  /// The hash of the entry.
  package let hash: UInt64
  /// The stored difference of the state, in `StateFormat`, with the reducer of the definition that applies both before and after the entry.
  /// `nil` if the entry set the definition, or if the reducer is unknown.
  package let difference: (bytes: [UInt8], reducer: Reducer)?
  /// The approximate size in memory, in bytes.
  let weight: Int
  private let kept = Lock(Kept())

  private struct Kept {
    var bytes: [Addition?: [UInt8]] = [:]
    /// The state after the entry; `nil` if the session has a newer entry, or if the state is unknown.
    var basis: PredictionBasis?
  }

  package init(
    _ identity: SessionIdentity, _ entry: Entry, definition: String? = nil, _ transition: Transition, hash: UInt64,
    difference: (bytes: [UInt8], reducer: Reducer)? = nil
  ) {
    self.identity = identity
    self.difference = difference
    self.hash = hash
    self.entry = entry
    self.definition = definition
    self.transition = transition
    weight = 1_000 + 8 * (difference?.bytes.count ?? 0)
  }

  /// The event of an entry that was read from the journal.
  convenience init(_ identity: SessionIdentity, _ item: HistoryItem) {
    self.init(
      identity, item.entry, definition: item.definition, item.transition, hash: item.hash,
      difference: item.definition == nil ? (item.difference, item.reducer) : nil)
  }

  /// The revision that the entry created.
  package var revision: Int { entry.revision }

  /// The hash of the definition to which the entry moved the session; `nil` if the entry kept the definition or created the session.
  package var newDefinition: String? { revision > 1 ? definition : nil }

  /// The cursor for resuming after this event.
  package var tag: RevisionTag { RevisionTag(revision, hash: hash) }

  /// Returns the event's bytes for this addition. The first call creates them with `make`, and they are cached for all subscribers. Can be
  /// called on any thread. `make` runs under a lock for which the feed may wait, so it must not take long.
  package func bytes(with addition: Addition?, _ make: (Occurrence) -> [UInt8]) -> [UInt8] {
    kept.withLock { kept in
      if let bytes = kept.bytes[addition] { return bytes }
      let bytes = make(self)
      kept.bytes[addition] = bytes
      return bytes
    }
  }

  /// The bytes for this addition if they were made before; otherwise `nil`. Can be called on any thread.
  package func bytes(madeWith addition: Addition?) -> [UInt8]? { kept.withLock { $0.bytes[addition] } }

  /// The state after the entry, for predictions; `nil` if the session has a newer entry. Can be called on any thread.
  package var basis: PredictionBasis? { kept.withLock { $0.basis } }

  /// Sets the state after the entry. `nil` releases it, once the session has a newer entry or no subscribers.
  func setBasis(_ basis: PredictionBasis?) { kept.withLock { $0.basis = basis } }
}
