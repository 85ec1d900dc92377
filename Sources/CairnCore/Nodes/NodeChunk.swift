/// A bounded number of records side by side, ascending by id. Versions of a table share chunks; a chunk is written only while a single
/// table references it.
///
/// Unchecked: `NodeTable` makes sure of that.
struct NodeChunk: @unchecked Sendable {
  /// The records lie behind the object, so that both are one piece of memory.
  private final class Storage: ManagedBuffer<Header, NodeRecord> {}

  private struct Header {
    var count: Int
    var capacity: Int
  }

  private var storage: Storage

  /// The most records of a chunk.
  static let size = 32
  /// Room that a copy has for records to come, so that not every push makes a larger one.
  private static let spare = 4

  /// An empty one.
  init(capacity: Int) {
    let made = Storage.create(minimumCapacity: capacity) { _ in Header(count: 0, capacity: capacity) }
    storage = unsafeDowncast(made, to: Storage.self)
  }

  /// The same records, with room for more.
  func copy(adding records: Int = 0) -> NodeChunk {
    let count = count
    let copy = NodeChunk(capacity: max(count + records, min(count + records + Self.spare, Self.size)))
    copy.base.initialize(from: base, count: count)
    copy.header.pointee.count = count
    return copy
  }

  /// By a pointer: a class's property that may change is checked each time that it is read while the program runs.
  private var header: UnsafeMutablePointer<Header> { storage.withUnsafeMutablePointerToHeader { $0 } }

  var count: Int { header.pointee.count }
  var isFull: Bool { header.pointee.count == header.pointee.capacity }
  /// Where the records are, while the chunk lives.
  var base: UnsafeMutablePointer<NodeRecord> { storage.withUnsafeMutablePointerToElements { $0 } }
  var first: NodeRecord? { count == 0 ? nil : base[0] }
  var last: NodeRecord? { count == 0 ? nil : base[count - 1] }

  /// Whether no other table references it.
  mutating func isUnique() -> Bool { isKnownUniquelyReferenced(&storage) }

  /// Both are one and the same.
  static func === (one: NodeChunk, other: NodeChunk) -> Bool { one.storage === other.storage }

  /// Puts a record behind all others; there must be room.
  func append(_ record: NodeRecord) {
    (base + count).initialize(to: record)
    header.pointee.count += 1
  }

  /// Takes a record out.
  func remove(at index: Int) {
    let rest = count - index - 1
    (base + index).update(from: base + index + 1, count: rest)
    header.pointee.count -= 1
  }

  /// Where the record of a node is; nil: it is not here.
  func index(of number: Int32) -> Int? {
    let (records, count) = (base, count)
    guard count > 0, records[0].id <= number else { return nil }
    // Ids rise at least by one from record to record, so this is the last place where it can be; mostly it is there.
    var high = min(Int(number - records[0].id), count - 1)
    if records[high].id == number { return high }
    var low = 0
    while low < high {
      let middle = (low + high) / 2
      if records[middle].id < number { low = middle + 1 } else { high = middle }
    }
    return records[low].id == number ? low : nil
  }
}
