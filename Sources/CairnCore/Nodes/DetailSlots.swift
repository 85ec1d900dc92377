/// The properties that few nodes have, in slots that their records name; -1 names none. Versions share their common slots.
struct DetailSlots: Sendable {
  private var slab = Slab<NodeDetails>()
  /// How many slots are in use, to know when to pack.
  private var used = 0

  /// nil: there are none.
  subscript(slot: Int32) -> NodeDetails? { slot < 0 ? nil : slab[slot] }

  /// The same without a reference of its own: valid as long as this version.
  func unretained(_ slot: Int32) -> Unmanaged<NodeDetails>? { slot < 0 ? nil : slab.unretained(slot) }

  /// How many slots, from the first, are one and the same in another version.
  func shared(with other: DetailSlots) -> Int { slab.shared(with: other.slab) }

  /// Puts details in and gives their slot; what says nothing gets none.
  mutating func put(_ details: NodeDetails) -> Int32 {
    guard !details.isEmpty else { return -1 }
    used += 1
    return slab.append(details)
  }

  /// Marks a slot as unused.
  mutating func free(_ slot: Int32) { if slot >= 0 { used -= 1 } }

  /// Packs the slots of all records once most of them are unused: the cost is spread over the changes since the last time.
  mutating func packIfSparse(for chunks: inout NodeChunks) {
    guard slab.count > 2 * used + 64 else { return }
    var packed = Slab<NodeDetails>()
    chunks.changeAll { if $0.details >= 0 { $0.details = packed.append(slab[$0.details]) } }
    slab = packed
  }
}
