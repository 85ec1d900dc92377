import Synchronization

/// An object that is created on first use and lives as long as its owner. Any thread.
///
/// The library's `AtomicLazyReference` does the same, but each load looks up metadata at run time, which takes about 500 instructions instead of
/// five.
struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of the object, which is retained here; 0 before it is created. Written once.
  private let address = Atomic<UInt>(0)

  deinit { Self.object(at: address.load(ordering: .acquiring))?.release() }

  /// Passes the object to `body`, and creates it if necessary. If two threads create it at once, one of them discards its own.
  @inline(__always)
  func with<Result>(orCreate create: () -> Object, _ body: (Object) -> Result) -> Result {
    // The load acquires, so that everything that the creating thread wrote into the object is visible. The object is not retained, because it lives
    // as long as this reference.
    if let object = Self.object(at: address.load(ordering: .acquiring)) { return object._withUnsafeGuaranteedRef(body) }
    return body(creating(create))
  }

  @inline(never)
  private func creating(_ create: () -> Object) -> Object {
    let new = Unmanaged.passRetained(create())
    let (_, present) = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
    guard let first = Self.object(at: present) else { return new.takeUnretainedValue() }
    new.release()
    return first.takeUnretainedValue()
  }

  @inline(__always)
  private static func object(at address: UInt) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address).map(Unmanaged.fromOpaque)
  }
}
