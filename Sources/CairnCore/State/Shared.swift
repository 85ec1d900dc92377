/// A value that its copies share until one of them changes it: a copy is one pointer, however much is in it.
struct Shared<Value: Sendable>: Sendable {
  private final class Storage: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private var storage: Storage

  init(_ value: Value) { storage = Storage(value) }

  /// Changing it makes a new one: for what is read often and changed seldom.
  var value: Value {
    get { storage.value }
    _modify {
      var value = storage.value
      defer { storage = Storage(value) }
      yield &value
    }
  }

  /// Whether both are the same value for sure, without looking into it.
  func isIdentical(to other: Shared) -> Bool { storage === other.storage }
}
