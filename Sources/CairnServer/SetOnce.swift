import Synchronization

/// A reference that is set at most once. It uses an atomic address, because a lock costs two allocations. Any thread.
struct SetOnce<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of a retained object; 0 if it is not set.
  private let address = Atomic<UInt>(0)

  init() {}

  deinit { reference?.release() }

  /// The object; `nil` if it is not set.
  var value: Object? { reference?.takeUnretainedValue() }

  /// Sets the object if it is not set.
  func set(_ object: Object) {
    let reference = Unmanaged.passRetained(object)
    let address = UInt(bitPattern: reference.toOpaque())
    if !self.address.compareExchange(expected: 0, desired: address, ordering: .acquiringAndReleasing).exchanged { reference.release() }
  }

  private var reference: Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)).map { Unmanaged.fromOpaque($0) }
  }
}
