import Synchronization

/// The bytes that a reader made of a session at a revision, kept for the next reader. An atomic of its own instead of a lock, because every
/// action makes a session and few sessions are read.
package struct Rendering: ~Copyable, Sendable {
  private final class Kept: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  /// The address of a retained `Kept`; 0: none yet. It is set once.
  private let kept = Atomic<UInt>(0)

  package init() {}

  deinit { object(at: kept.load(ordering: .acquiring))?.release() }

  /// The kept bytes, or those that `make` returns, which are kept then. If two readers make them at once, the first ones are kept. Any thread.
  package func bytes(_ make: () throws -> [UInt8]) rethrows -> [UInt8] {
    if let kept = object(at: kept.load(ordering: .acquiring)) { return kept._withUnsafeGuaranteedRef { $0.bytes } }
    let bytes = try make()
    let made = Unmanaged.passRetained(Kept(bytes))
    let address = UInt(bitPattern: made.toOpaque())
    if !kept.compareExchange(expected: 0, desired: address, ordering: .acquiringAndReleasing).exchanged { made.release() }
    return bytes
  }

  private func object(at address: UInt) -> Unmanaged<Kept>? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
  }
}
