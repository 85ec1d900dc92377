import Synchronization

/// An object that is created on first use and lives as long as its owner. Any thread may ask for it.
///
/// The library's `AtomicLazyReference` does the same, but each of its loads looks up metadata at run time: some 500 instructions instead of five.
struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of the object, which is retained here; 0 until there is one. Written once.
  private let address = Atomic<UInt>(0)

  deinit { Self.object(at: address.load(ordering: .acquiring))?.release() }

  /// Returns the object; creates it if there is none yet. Of two threads that create it at once, one discards its own and returns the other's.
  func value(orCreate create: () -> Object) -> Object {
    // Acquiring: what the creating thread wrote into the object is visible here.
    if let object = Self.object(at: address.load(ordering: .acquiring)) { return object.takeUnretainedValue() }
    let new = Unmanaged.passRetained(create())
    let (_, present) = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
    guard let first = Self.object(at: present) else { return new.takeUnretainedValue() }
    new.release()
    return first.takeUnretainedValue()
  }

  private static func object(at address: UInt) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address).map(Unmanaged.fromOpaque)
  }
}
