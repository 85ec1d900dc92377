/// A value that its copies share until one of them changes it: a copy is one pointer, however much is in it.
///
/// Unchecked: the storage is written only while no other value references it.
struct Shared<Value: Sendable>: @unchecked Sendable {
  /// A pointer, and not a property: reading a class's property that may change is checked each time while the program runs.
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

  /// Whether both are the same value for sure, without looking into it.
  func isIdentical(to other: Shared) -> Bool { storage === other.storage }
}
