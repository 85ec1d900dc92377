/// Deadlines and their owners, as a binary heap with the earliest deadline on top. An owner that was added twice is returned twice.
struct Alarms<Sleeper> {
  private var heap: [(moment: UInt64, sleeper: Sleeper)] = []

  /// The earliest deadline, in `Monotonic` nanoseconds; `nil` if there are no deadlines.
  var next: UInt64? { heap.first?.moment }

  /// Adds a deadline. `.max` means "never" and is ignored.
  mutating func add(_ moment: UInt64, _ sleeper: Sleeper) {
    guard moment < .max else { return }
    heap.append((moment, sleeper))
    var place = heap.count - 1
    while place > 0, heap[place].moment < heap[(place - 1) / 2].moment {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes and returns the owner of the earliest deadline; `nil` if that deadline is later than `now`.
  mutating func take(at now: UInt64) -> Sleeper? {
    guard let first = heap.first, first.moment <= now else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first.sleeper }
    heap[0] = last
    var place = 0
    while true {
      let left = 2 * place + 1
      guard left < heap.count else { break }
      let child = left + 1 < heap.count && heap[left + 1].moment < heap[left].moment ? left + 1 : left
      guard heap[child].moment < heap[place].moment else { break }
      heap.swapAt(place, child)
      place = child
    }
    return first.sleeper
  }
}
