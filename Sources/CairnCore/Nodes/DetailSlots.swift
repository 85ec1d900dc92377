/// Storage for properties that few nodes have. Records refer to slots, with -1 for none. The versions of a table share their common slots.
struct DetailSlots: Sendable {
  private var slab = Slab<NodeDetails>()
  /// The number of slots in use. `packIfSparse` depends on it.
  private var used = 0

  /// The details in a slot; `nil` for -1.
  subscript(slot: Int32) -> NodeDetails? { slot < 0 ? nil : slab[slot] }

  /// The details in a slot without retaining them; `nil` for a negative slot. Valid as long as this version exists.
  func unretained(_ slot: Int32) -> Unmanaged<NodeDetails>? { slot < 0 ? nil : slab.unretained(slot) }

  /// The number of leading slots that are identical in another version.
  func shared(with other: DetailSlots) -> Int { slab.shared(with: other.slab) }

  /// Stores details and returns their slot; -1 if the details are empty.
  mutating func put(_ details: NodeDetails) -> Int32 {
    guard !details.isEmpty else { return -1 }
    used += 1
    return slab.append(details)
  }

  /// Counts a slot as unused.
  mutating func free(_ slot: Int32) { if slot >= 0 { used -= 1 } }

  /// Rebuilds the storage when most slots are unused. The cost is amortized over the changes since the last rebuild.
  mutating func packIfSparse(for chunks: inout NodeChunks) {
    guard slab.count > 2 * used + 64 else { return }
    var packed = Slab<NodeDetails>()
    chunks.changeAll { if $0.details >= 0 { $0.details = packed.append(slab[$0.details]) } }
    slab = packed
  }
}
