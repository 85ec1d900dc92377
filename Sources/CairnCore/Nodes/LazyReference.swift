import Synchronization

/// An object that is created on first use and lives as long as its owner. Any thread may ask for it.
///
/// The library's `AtomicLazyReference` does the same, but each of its loads looks up metadata at run time: some 500 instructions instead of five.
struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of the object, which is retained here; 0 until there is one. Written once.
  private let address = Atomic<UInt>(0)

  deinit { Self.object(at: address.load(ordering: .acquiring))?.release() }

  /// Hands the object to `body`; creates it if there is none yet. Of two threads that create it at once, one discards its own and gets the
  /// other's.
  @inline(__always)
  func with<Result>(orCreate create: () -> Object, _ body: (Object) -> Result) -> Result {
    // Acquiring: what the creating thread wrote into the object is visible here. The object lives at least as long as this reference, so
    // it is not retained.
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
