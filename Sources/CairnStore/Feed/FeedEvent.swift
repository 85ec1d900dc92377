package import CairnJournal
import CairnRuntime

/// An event in the feed of all sessions. The events have the order of the commits.
package final class FeedEvent: Sendable {
  package enum Content: Sendable {
    case happened(Occurrence)
    /// A session ended, at a time in milliseconds since 1970.
    case ended(SessionIdentity, FeedEnding, at: Int)
    /// Replaces an event whose entry was forgotten.
    case forgotten(SessionIdentity)
  }

  /// The event's number. Numbers are consecutive from 1 while the store runs.
  package let number: Int
  package let content: Content
  private let kept = Lock<[UInt8]?>(nil)

  init(_ number: Int, _ content: Content) {
    self.number = number
    self.content = content
  }

  /// The session of the event.
  package var identity: SessionIdentity {
    switch content {
    case .happened(let occurrence): occurrence.identity
    case .ended(let identity, _, _), .forgotten(let identity): identity
    }
  }

  /// Whether the event belongs to a forgotten entry of this session. `revision` is the first revision whose state can still be read; its
  /// entry is forgotten too.
  func isForgotten(by session: String, before revision: Int) -> Bool {
    if case .happened(let occurrence) = content { occurrence.identity.id == session && occurrence.revision <= revision } else { false }
  }

  /// Returns the event's bytes. The first call creates them with `make`; they are cached for all subscribers. Can be called on any thread.
  package func bytes(_ make: (FeedEvent) -> [UInt8]) -> [UInt8] {
    kept.withLock { kept in
      if let kept { return kept }
      let bytes = make(self)
      kept = bytes
      return bytes
    }
  }

  var weight: Int {
    switch content {
    case .happened(let occurrence): occurrence.weight
    case .ended, .forgotten: 500
    }
  }
}
