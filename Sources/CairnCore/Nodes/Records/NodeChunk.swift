/// An array of at most `size` records in ascending order of ids. Versions of a table share chunks; a chunk is written only while a single
/// table references it.
///
/// `Sendable` is unchecked: `NodeTable` ensures that no shared chunk is written.
struct NodeChunk: @unchecked Sendable {
  /// The records are stored behind the object's header, in the same allocation.
  private final class Storage: ManagedBuffer<Header, NodeRecord> {}

  private struct Header {
    var count: Int
    var capacity: Int
  }

  private var storage: Storage

  /// Maximum number of records in a chunk.
  static let size = 32
  /// The spare capacity of a copy, so that not every push reallocates.
  private static let spare = 4

  /// An empty chunk with room for `capacity` records.
  init(capacity: Int) {
    let made = Storage.create(minimumCapacity: capacity) { _ in Header(count: 0, capacity: capacity) }
    storage = unsafeDowncast(made, to: Storage.self)
  }

  /// A copy with room for `records` more records.
  func copy(adding records: Int = 0) -> NodeChunk {
    let count = count
    let copy = NodeChunk(capacity: max(count + records, min(count + records + Self.spare, Self.size)))
    copy.base.initialize(from: base, count: count)
    copy.header.pointee.count = count
    return copy
  }

  /// A pointer to the header, because Swift checks exclusivity at run time for each access to a mutable class property.
  private var header: UnsafeMutablePointer<Header> { storage.withUnsafeMutablePointerToHeader { $0 } }

  var count: Int { header.pointee.count }
  var isFull: Bool { header.pointee.count == header.pointee.capacity }
  /// The records. Valid while the chunk exists.
  var base: UnsafeMutablePointer<NodeRecord> { storage.withUnsafeMutablePointerToElements { $0 } }
  var first: NodeRecord? { count == 0 ? nil : base[0] }
  var last: NodeRecord? { count == 0 ? nil : base[count - 1] }

  /// Whether no other table references the chunk.
  mutating func isUnique() -> Bool { isKnownUniquelyReferenced(&storage) }

  /// Whether both chunks share one storage.
  static func === (one: NodeChunk, other: NodeChunk) -> Bool { one.storage === other.storage }

  /// Appends a record. The chunk must have room.
  func append(_ record: NodeRecord) {
    (base + count).initialize(to: record)
    header.pointee.count += 1
  }

  func remove(at index: Int) {
    let rest = count - index - 1
    (base + index).update(from: base + index + 1, count: rest)
    header.pointee.count -= 1
  }

  /// The index of a node's record; `nil` if the chunk does not contain it.
  func index(of number: Int32) -> Int? {
    let (records, count) = (base, count)
    guard count > 0, records[0].id <= number else { return nil }
    // Ids ascend by at least one, so this is the highest possible index, and usually the right one.
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
