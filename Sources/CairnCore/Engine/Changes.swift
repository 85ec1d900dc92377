/// Changes in the order in which they are played, those of one phase in the order in which they come.
struct Changes {
  /// When a change is played.
  enum Phase: UInt8 {
    case dismiss, select, take, bring, present, update
  }

  private(set) var inOrder: [Change] = []
  /// How many there are of each phase, by its number.
  private var counts: SIMD8<UInt32> = .zero

  mutating func add(_ change: consuming Change, _ phase: Phase) {
    var index = 0
    for earlier in 0...Int(phase.rawValue) { index += Int(counts[earlier]) }
    counts[Int(phase.rawValue)] += 1
    // Mostly what comes later is played later.
    if index == inOrder.count { inOrder.append(change) } else { inOrder.insert(change, at: index) }
  }
}
