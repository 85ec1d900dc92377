import Synchronization

/// A reference that can be set only once. The reference is stored as an atomic address, because a lock would need two allocations.
/// Thread-safe.
struct SetOnce<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of the retained object; 0 if no object is set.
  private let address = Atomic<UInt>(0)

  init() {}

  deinit { reference?.release() }

  /// The object; `nil` if no object is set.
  var value: Object? { reference?.takeUnretainedValue() }

  /// Sets the object, unless an object is already set.
  func set(_ object: Object) {
    let reference = Unmanaged.passRetained(object)
    let address = UInt(bitPattern: reference.toOpaque())
    if !self.address.compareExchange(expected: 0, desired: address, ordering: .acquiringAndReleasing).exchanged { reference.release() }
  }

  private var reference: Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)).map { Unmanaged.fromOpaque($0) }
  }
}
