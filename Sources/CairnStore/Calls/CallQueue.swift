import DequeModule

/// Schedules outgoing calls within limits. Apps take turns, and within an app its lanes take turns. A lane contains the waiting calls of one session
/// to one upstream. A call that exceeds a limit only delays calls that share this limit.
struct CallQueue {
  /// The maximum numbers of running calls.
  struct Limits: Hashable, Sendable {
    /// The maximum in total. An app may start a call only while it has fewer running calls than there are free slots, so that it leaves
    /// slots to other apps.
    var all: Int
    /// The maximum number of running calls of one app to one host.
    var upstream: Int
    /// The maximum number of running calls per session.
    var session: Int

    init(all: Int) {
      self.all = max(1, all)
      upstream = max(1, all / 4)
      session = max(1, all / 16)
    }
  }

  /// Identifies a limit that lanes can wait for.
  private enum GateName: Hashable {
    case upstream(CallPlace.Upstream)
    case session(String)
  }

  private struct Gate {
    var running = 0
    /// The lanes that wait for this limit.
    var parked: Deque<CallPlace> = []
  }

  private let limits: Limits
  /// The waiting calls by lane. Each lane is either in `ready` or in the `parked` list of one gate.
  private var lanes: [CallPlace: Deque<EffectKey>] = [:]
  private var gates: [GateName: Gate] = [:]
  /// The lanes that may start a call, by app, in the order of their turns.
  private var ready: [String: Deque<CallPlace>] = [:]
  /// The apps in `ready`, in the order of their turns.
  private var apps: Deque<String> = []
  private var waiting: [EffectKey: CallPlace] = [:]
  private var running: [EffectKey: CallPlace] = [:]
  private(set) var counts = CallCounts()

  init(_ limits: Limits) { self.limits = limits }

  /// The app, the upstream and the session of a running call; `nil` if the call is not running.
  func place(of key: EffectKey) -> CallPlace? { running[key] }

  /// Appends a call to its lane. Does nothing if the call is waiting already.
  mutating func add(_ key: EffectKey, at place: CallPlace) {
    guard waiting[key] == nil else { return }
    waiting[key] = place
    counts.change(place.app, waiting: 1)
    if lanes[place] == nil { enqueue(place) }
    lanes[place, default: []].append(key)
  }

  /// Starts the next call that is within the limits, and returns its key; `nil` if no waiting call may start. The call occupies a slot
  /// until `end`.
  mutating func next() -> EffectKey? {
    for _ in 0..<apps.count {
      let app = apps.removeFirst()
      let key = hasRoom(app) ? take(from: app) : nil
      // During `take` the app stays in `ready`, so `enqueue` does not add it to `apps` again.
      if ready[app]?.isEmpty ?? true { ready[app] = nil } else { apps.append(app) }
      if let key { return key }
    }
    return nil
  }

  /// Ends a running or waiting call. Returns whether the call was running or waiting.
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
    // An empty lane is removed at its next turn.
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
        // Another gate may have woken this lane for a free slot. The lane cannot use the slot, so the other gate wakes its next lane
        // instead.
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

  /// Moves one parked lane to `ready` if the gate's limit is not reached. Removes a gate without running calls and parked lanes.
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
