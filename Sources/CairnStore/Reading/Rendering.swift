import CairnRuntime

/// The bytes that a reader made of a session at a revision, kept for the next reader.
package final class Rendering: Sendable {
  private let kept = Lock<[UInt8]?>(nil)

  package init() {}

  /// The kept bytes, or those that `make` returns, which are kept then. Two readers at once may both make them. Any thread.
  package func bytes(_ make: () throws -> [UInt8]) rethrows -> [UInt8] {
    if let kept = kept.withLock({ $0 }) { return kept }
    let bytes = try make()
    kept.withLock { $0 = bytes }
    return bytes
  }
}
