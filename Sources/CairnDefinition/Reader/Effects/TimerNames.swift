/// The names of timers. The names in `cancel` operations are checked when all timers have been read.
struct TimerNames {
  private(set) var declared: Set<String> = []
  /// The names in `cancel` operations.
  private(set) var cancelled: [Element] = []

  mutating func declare(_ name: String) { declared.insert(name) }

  mutating func cancel(_ name: Element) { cancelled.append(name) }
}
