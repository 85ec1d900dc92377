import CairnRuntime

/// An event in the feed of all sessions. The events have the order of the commits.
package final class FeedEvent: Sendable {
  package enum Content: Sendable {
    case happened(Occurrence)
    /// A session ended, at a time in milliseconds since 1970.
    case ended(Birth, FeedEnding, at: Int)
  }

  /// Consecutive from 1, as long as the store runs.
  package let number: Int
  package let content: Content
  private let kept = Lock<[UInt8]?>(nil)

  init(_ number: Int, _ content: Content) {
    self.number = number
    self.content = content
  }

  /// The session of the event.
  package var birth: Birth {
    switch content {
    case .happened(let occurrence): occurrence.birth
    case .ended(let birth, _, _): birth
    }
  }

  /// The bytes that `make` returned at the first call. They are cached for all subscribers. Any thread.
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
    case .ended: 500
    }
  }
}
