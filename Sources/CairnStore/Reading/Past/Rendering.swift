import Synchronization

/// The rendered bytes of a session at a revision, cached for the next reader. Uses an atomic instead of a lock, because every action creates a
/// session object and few of them are read.
package struct Rendering: ~Copyable, Sendable {
  private final class Kept: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  /// The address of a retained `Kept` object; 0 until the bytes are rendered. Set only once.
  private let kept = Atomic<UInt>(0)

  package init() {}

  deinit { object(at: kept.load(ordering: .acquiring))?.release() }

  /// Returns the cached bytes. If there are none, calls `make` and caches the result. If two threads render at the same time, the first result is cached.
  /// Thread-safe.
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
