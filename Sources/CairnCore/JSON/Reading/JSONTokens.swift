/// The tokens of a text in order. The list starts in memory of the caller.
struct JSONTokens: ~Copyable {
  private(set) var base: UnsafeMutablePointer<JSONToken>
  private(set) var count = 0
  private var capacity: Int
  private let textLength: Int
  /// Whether the list allocated its memory and must deallocate it.
  private var isOwner = false

  /// Creates a list in the memory `room`, which must outlive it. A longer list moves to allocated memory, whose size is estimated from
  /// `textLength` bytes.
  init(in room: UnsafeMutableBufferPointer<JSONToken>, textLength: Int) {
    self.textLength = textLength
    capacity = room.count
    isOwner = room.baseAddress == nil
    base = room.baseAddress ?? .allocate(capacity: 0)
  }

  deinit { if isOwner { base.deallocate() } }

  /// The token at an index. The result must be read before the next token is appended.
  subscript(index: Int) -> JSONToken {
    get { base[index] }
    set { base[index] = newValue }
  }

  @inline(__always)
  mutating func append(_ token: JSONToken) {
    if count == capacity { grow() }
    (base + count).initialize(to: token)
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    // Texts have about eight bytes per token, so the list usually grows at most once.
    capacity = max(2 * capacity, textLength / 8, 64)
    let larger = UnsafeMutablePointer<JSONToken>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    if isOwner { base.deallocate() }
    base = larger
    isOwner = true
  }
}
