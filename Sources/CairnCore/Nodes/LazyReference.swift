package import Synchronization

/// An object that is created on first use, or set once, and lives as long as its owner. Any thread may ask for it.
///
/// The library's `AtomicLazyReference` does the same, but each of its loads looks up metadata at run time: some 500 instructions instead of five.
package struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of the object, which is retained here; 0 until there is one. Written once.
  @usableFromInline package let address = Atomic<UInt>(0)

  /// One without an object.
  @inlinable package init() {}

  @inlinable deinit { present?.release() }

  // Acquiring: what the creating thread wrote into the object is visible to who finds it. The object lives at least as long as this reference.
  @inlinable package var present: Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)).map(Unmanaged.fromOpaque)
  }

  /// nil: there is none yet.
  @inlinable package var object: Object? { present?.takeUnretainedValue() }

  /// Makes this the object, unless there is one. Gives the one that it is from now on.
  @inlinable @discardableResult
  package func set(_ object: Object) -> Object {
    let new = Unmanaged.passRetained(object)
    let (isSet, first) = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
    guard !isSet, let other = UnsafeRawPointer(bitPattern: first) else { return object }
    new.release()
    return Unmanaged<Object>.fromOpaque(other).takeUnretainedValue()
  }

  /// Hands the object to `body`; creates it if there is none yet. Of two threads that create it at once, one discards its own and gets the
  /// other's.
  @inline(__always)
  func with<Result>(orCreate create: () -> Object, _ body: (Object) -> Result) -> Result {
    if let present { return present._withUnsafeGuaranteedRef(body) }
    return body(creating(create))
  }

  @inline(never)
  private func creating(_ create: () -> Object) -> Object { set(create()) }
}
