/// The details of nodes, in slots whose numbers are in the records; -1 stands for no details. Versions of a table share equal slots.
struct DetailSlots: Sendable {
  private var slab = Slab<NodeDetails>()
  /// The number of used slots, from which the need to pack follows.
  private var used = 0

  /// The details in a slot; `nil` for -1.
  subscript(slot: Int32) -> NodeDetails? { slot < 0 ? nil : slab[slot] }

  /// The details in a slot without retaining them. Valid as long as this version of the table.
  func unretained(_ slot: Int32) -> Unmanaged<NodeDetails>? { slot < 0 ? nil : slab.unretained(slot) }

  /// The number of slots, from the first one, that are shared with another version.
  func shared(with other: DetailSlots) -> Int { slab.shared(with: other.slab) }

  /// Stores details and returns their slot; -1 for empty details.
  mutating func put(_ details: NodeDetails) -> Int32 {
    guard !details.isEmpty else { return -1 }
    used += 1
    return slab.append(details)
  }

  /// Marks a slot as unused.
  mutating func free(_ slot: Int32) { if slot >= 0 { used -= 1 } }

  /// Packs the slots if most of them are unused. The cost is spread over the changes since the last time.
  mutating func packIfSparse(for chunks: inout NodeChunks) {
    guard slab.count > 2 * used + 64 else { return }
    var packed = Slab<NodeDetails>()
    chunks.changeAll { if $0.details >= 0 { $0.details = packed.append(slab[$0.details]) } }
    slab = packed
  }
}
