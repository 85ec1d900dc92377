import DequeModule

/// Outgoing calls that wait for a slot, and those that have one. Apps have their turns one after the other, and within an app its lanes: one
/// per upstream and session. A call that cannot leave holds up only the calls that share what is full.
struct CallQueue {
  /// How many calls may have a slot at once.
  struct Limits: Hashable, Sendable {
    /// In all. An app has at most as many as are free, so that there is always one for another app.
    var all: Int
    /// Per upstream of an app.
    var upstream: Int
    /// Per session.
    var session: Int

    init(all: Int) {
      self.all = max(1, all)
      upstream = max(1, all / 4)
      session = max(1, all / 16)
    }
  }

  /// A bound that can be reached.
  private enum GateName: Hashable {
    case upstream(CallPlace.Upstream)
    case session(String)
  }

  private struct Gate {
    var running = 0
    /// Lanes that wait for a slot of this gate.
    var parked: Deque<CallPlace> = []
  }

  private let limits: Limits
  /// Calls that wait, per lane. A lane with any stands once, either in `ready` or in one gate's `parked`.
  private var lanes: [CallPlace: Deque<EffectKey>] = [:]
  private var gates: [GateName: Gate] = [:]
  /// Lanes that may have a slot, per app, in the order of their turns.
  private var ready: [String: Deque<CallPlace>] = [:]
  /// The apps in `ready`, in the order of their turns.
  private var apps: Deque<String> = []
  private var waiting: [EffectKey: CallPlace] = [:]
  private var running: [EffectKey: CallPlace] = [:]
  /// Calls with a slot and calls that wait, per app.
  private(set) var counts = CallCounts()

  init(_ limits: Limits) { self.limits = limits }

  /// The place of a call with a slot; `nil`: it has none.
  func place(of key: EffectKey) -> CallPlace? { running[key] }

  /// Puts a call behind all of its lane. Does nothing if it waits.
  mutating func add(_ key: EffectKey, at place: CallPlace) {
    guard waiting[key] == nil else { return }
    waiting[key] = place
    counts.change(place.app, waiting: 1)
    if lanes[place] == nil { enqueue(place) }
    lanes[place, default: []].append(key)
  }

  /// Gives a slot to the next call that may have one; `end` frees it.
  mutating func next() -> EffectKey? {
    for _ in 0..<apps.count {
      let app = apps.removeFirst()
      let key = hasRoom(app) ? take(from: app) : nil
      // While `take` runs, the app keeps its place in `ready`, so `enqueue` does not put it in `apps` too.
      if ready[app]?.isEmpty ?? true { ready[app] = nil } else { apps.append(app) }
      if let key { return key }
    }
    return nil
  }

  /// Frees the slot of a call, or takes it out of the queue. Whether it was in either.
  @discardableResult mutating func end(_ key: EffectKey) -> Bool {
    if let place = running.removeValue(forKey: key) {
      counts.change(place.app, running: -1)
      for name in Self.gates(of: place) {
        gates[name]?.running -= 1
        wake(name)
      }
      return true
    }
    guard let place = waiting.removeValue(forKey: key) else { return false }
    counts.change(place.app, waiting: -1)
    // A lane that is empty now is dropped when it has its turn.
    lanes[place]?.removeAll { $0 == key }
    return true
  }

  private func hasRoom(_ app: String) -> Bool {
    let free = limits.all - running.count
    return free > 0 && counts.running(of: app) < max(1, free)
  }

  private mutating func take(from app: String) -> EffectKey? {
    while let place = ready[app]?.popFirst() {
      guard let key = lanes[place]?.first else {
        lanes[place] = nil
        for name in Self.gates(of: place) { wake(name) }
        continue
      }
      if let full = Self.gates(of: place).first(where: { !isOpen($0) }) {
        gates[full]?.parked.append(place)
        // Another gate may have woken this lane for a slot that it cannot use.
        for name in Self.gates(of: place) where name != full { wake(name) }
        continue
      }
      lanes[place]?.removeFirst()
      if lanes[place]?.isEmpty ?? true { lanes[place] = nil } else { enqueue(place) }
      start(key, at: place)
      return key
    }
    return nil
  }

  private mutating func start(_ key: EffectKey, at place: CallPlace) {
    waiting[key] = nil
    running[key] = place
    counts.change(place.app, running: 1, waiting: -1)
    for name in Self.gates(of: place) { gates[name, default: Gate()].running += 1 }
  }

  private mutating func enqueue(_ place: CallPlace) {
    if ready[place.app] == nil { apps.append(place.app) }
    ready[place.app, default: []].append(place)
  }

  /// Lets a parked lane have its turn, if the gate has room. A gate with neither is forgotten.
  private mutating func wake(_ name: GateName) {
    guard var gate = gates[name], isOpen(name) else { return }
    if !gate.parked.isEmpty { enqueue(gate.parked.removeFirst()) }
    gates[name] = gate.running == 0 && gate.parked.isEmpty ? nil : gate
  }

  private func isOpen(_ name: GateName) -> Bool {
    let running = gates[name]?.running ?? 0
    return switch name {
    case .upstream: running < limits.upstream
    case .session: running < limits.session
    }
  }

  private static func gates(of place: CallPlace) -> [GateName] { [.upstream(place.upstream), .session(place.session)] }
}
