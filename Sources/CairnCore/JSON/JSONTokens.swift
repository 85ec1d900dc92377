/// The tokens of a text that is being parsed. They start in memory of the caller.
struct JSONTokens: ~Copyable {
  private(set) var base: UnsafeMutablePointer<JSONToken>
  private(set) var count = 0
  private var capacity: Int
  private let textLength: Int
  /// Whether the list owns its memory, which is then deallocated with it.
  private var isOwner = false

  /// `room` must outlive the list. A longer list moves to memory of its own, sized for a text of `textLength` bytes.
  init(in room: UnsafeMutableBufferPointer<JSONToken>, textLength: Int) {
    self.textLength = textLength
    capacity = room.count
    isOwner = room.baseAddress == nil
    base = room.baseAddress ?? .allocate(capacity: 0)
  }

  deinit { if isOwner { base.deallocate() } }

  /// The token at an index. The result must not be used after the next `append`.
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
    // About eight bytes per token, so that in most cases the list grows only once.
    capacity = max(2 * capacity, textLength / 8, 64)
    let larger = UnsafeMutablePointer<JSONToken>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    if isOwner { base.deallocate() }
    base = larger
    isOwner = true
  }
}
