/// The effects of a session: the timers, loads and calls that run beside it.
struct EffectBook: Hashable, Sendable {
  /// In the order of their creation.
  private(set) var running: [Effect]
  /// The number of the next one; never reused.
  private(set) var next: WideInt

  init(running: [Effect] = [], next: WideInt = 1) {
    self.running = running
    self.next = next
  }

  /// The effect with this number; `nil` if it has ended or never existed.
  subscript(id: Effect.ID) -> Effect? { running.first { $0.id == id } }

  /// Whether any of those that run is meant.
  func contains(where isMeant: (Effect) -> Bool) -> Bool { running.contains(where: isMeant) }

  /// Starts one at a time, milliseconds since 1970.
  mutating func start(
    _ work: Effect.Work, owner: NodeID?, at time: WideInt, whileVisible: Bool, to destination: Operation.Destination?
  ) {
    running.append(Effect(id: next, owner: owner, start: time, work: work, whileVisible: whileVisible, to: destination))
    next += 1
  }

  /// Removes an effect that has ended.
  mutating func end(_ id: Effect.ID) { running.removeAll { $0.id == id } }

  /// Takes those back that are meant, and gives them.
  mutating func takeBack(where isMeant: (Effect) -> Bool) -> [Effect] {
    let gone = running.filter(isMeant)
    if !gone.isEmpty { running.removeAll(where: isMeant) }
    return gone
  }

  /// Remembers the newest tick of a timer that repeats: one that changed something.
  mutating func noteTick(_ tick: WideInt, of id: Effect.ID) {
    guard let index = running.firstIndex(where: { $0.id == id }),
      case .timer(let name, let step, let delay, let period, _) = running[index].work
    else { return }
    running[index].work = .timer(name: name, step: step, delay: delay, period: period, ticks: tick)
  }
}
