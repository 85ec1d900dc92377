import CairnRuntime

/// An event of the feed of all sessions, in the order of the commits.
package final class Tiding: Sendable {
  package enum Content: Sendable {
    case happened(Occurrence)
    /// A session is no more, since so many milliseconds after 1970.
    case ended(Birth, FeedEnding, at: Int)
  }

  /// From 1 on, one after the other, as long as the store runs.
  package let number: Int
  package let content: Content
  private let kept = Lock<[UInt8]?>(nil)

  init(_ number: Int, _ content: Content) {
    self.number = number
    self.content = content
  }

  /// The session that it is of.
  package var birth: Birth {
    switch content {
    case .happened(let occurrence): occurrence.birth
    case .ended(let birth, _, _): birth
    }
  }

  /// The result of `make`, which is called at the first request and kept for all others. Any thread.
  package func bytes(_ make: (Tiding) -> [UInt8]) -> [UInt8] {
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
