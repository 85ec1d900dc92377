/// A copy-on-write value. A copy is one pointer, whatever the size of the value.
///
/// `@unchecked Sendable` is safe, because the storage is written only while no other value references it.
struct Shared<Value: Sendable>: @unchecked Sendable {
  /// It has a pointer instead of a stored property, because each access to a class's mutable property is checked for exclusivity at run time.
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
    get { storage.pointer.pointee }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.pointer.pointee) }
      yield &storage.pointer.pointee
    }
  }

  /// Whether both share their storage and are therefore equal. Does not compare values.
  func isIdentical(to other: Shared) -> Bool { storage === other.storage }
}
