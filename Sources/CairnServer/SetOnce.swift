import Synchronization

/// A reference that is set at most once. An atomic address instead of a lock, which takes two allocations. Any thread.
struct SetOnce<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of a retained object; 0: it is not set.
  private let address = Atomic<UInt>(0)

  init() {}

  deinit { reference?.release() }

  /// The object; `nil`: it is not set.
  var value: Object? { reference?.takeUnretainedValue() }

  /// Sets the object if none was set before.
  func set(_ object: Object) {
    let reference = Unmanaged.passRetained(object)
    let address = UInt(bitPattern: reference.toOpaque())
    if !self.address.compareExchange(expected: 0, desired: address, ordering: .acquiringAndReleasing).exchanged { reference.release() }
  }

  private var reference: Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)).map { Unmanaged.fromOpaque($0) }
  }
}
