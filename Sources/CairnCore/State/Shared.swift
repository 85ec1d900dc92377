/// A copy-on-write value: copies share one storage until one of them is modified. A copy takes one pointer, regardless of the size of the value.
///
/// `Sendable` is unchecked: the storage is written only while no other value references it.
struct Shared<Value: Sendable>: @unchecked Sendable {
  /// Stores a pointer instead of a property, because Swift checks exclusivity at run time for each access to a mutable class property.
  private final class Storage {
    let pointer: UnsafeMutablePointer<Value>

    init(_ value: Value) {
      pointer = .allocate(capacity: 1)
      pointer.initialize(to: value)
    }

    deinit {
      pointer.deinitialize(count: 1)
      pointer.deallocate()
    }
  }

  private var storage: Storage

  init(_ value: Value) { storage = Storage(value) }

  var value: Value {
    // Yields the stored value, so that reading one of its members does not copy the others.
    _read { yield storage.pointer.pointee }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.pointer.pointee) }
      yield &storage.pointer.pointee
    }
  }

  /// Whether both share one storage. If true, their values are equal; if false, they may still be equal.
  func isIdentical(to other: Shared) -> Bool { storage === other.storage }
}

#if !hasFeature(Embedded)
  extension Shared: CustomReflectable {
    /// Shows the value instead of the pointer to it, in tools and in the messages of tests.
    var customMirror: Mirror { Mirror(self, children: ["value": value], displayStyle: .struct) }
  }
#endif
