import CairnRuntime

/// What a reader made of a session, kept for the next reader of the same revision. Copies of a session share it.
package final class Rendering: Sendable {
  private let kept = Lock<(revision: Int, bytes: [UInt8])?>(nil)

  package init() {}

  /// The bytes kept for a revision, or those that `make` gives, which are kept then. Two readers at once may both make them. Any thread.
  package func bytes(at revision: Int, _ make: () throws -> [UInt8]) rethrows -> [UInt8] {
    if let kept = kept.withLock({ $0 }), kept.revision == revision { return kept.bytes }
    let bytes = try make()
    kept.withLock { $0 = (revision, bytes) }
    return bytes
  }
}
