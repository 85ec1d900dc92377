import CairnCore
import CairnRuntime

/// Explores all states of an app breadth-first, level by level. Scouts on several threads explore a level. Their results are merged in a fixed order,
/// so the findings do not depend on the number of threads.
struct Walk {
  private(set) var app: App
  private(set) var ground: Ground
  private(set) var reached = Reached()
  private(set) var observations: [Observation: Location] = [:]
  private(set) var transitions = 0
  /// Starts that were refused, with the reason.
  private(set) var refusedStarts: [(start: Int, detail: String)] = []
  /// The limit that ended the walk early; `nil` if the walk is complete.
  private(set) var end: End?

  /// The number of states that exceed each limit.
  private(set) var beyond: [Beyond: Int] = [:]

  /// Whether parts that were not reached are probably unreachable: no state exceeded a limit, or the last increase of the limits reached nothing new.
  private(set) var isSettled = false

  /// The time of `Monotonic` at which the walk must end; `nil` for no limit. The same deadline also applies to the second walk of
  /// `lookNearer`.
  private let deadline: UInt64?

  /// The limit that ended the walk.
  enum End { case states, time }

  /// `part` is the number of states that one scout takes at a time. `parts` is the number of such parts that are explored before their
  /// results are merged.
  private static let part = 64
  private static let parts = 16

  init(app: App, until deadline: UInt64?) {
    self.app = app
    self.deadline = deadline
    ground = Ground(claims: app.claims.reachable.count)
  }

  /// Explores until no new states are found or a limit is reached. `report` receives the progress after each batch. Throws if a thread cannot be started.
  mutating func run(_ report: (_ states: Int, _ transitions: Int, _ waiting: Int) -> Void) throws(ThreadError) {
    var level = begin()
    let scouts = (0..<max(1, app.limits.threads)).map { _ in Scout(app) }
    while !level.isEmpty {
      var next: [Frontier] = []
      var place = 0
      while place < level.count {
        let batch = level[place..<min(place + Self.part * Self.parts, level.count)]
        let parts = stride(from: batch.startIndex, to: batch.endIndex, by: Self.part).map {
          batch[$0..<min($0 + Self.part, batch.endIndex)]
        }
        for found in try Bench.explore(parts, by: scouts, on: ground, known: reached, until: deadline) { add(found, &next) }
        place = batch.endIndex
        report(ground.count, transitions, level.count - place + next.count)
        if let deadline, Monotonic.now() >= deadline { end = end ?? .time }
        if end != nil { return }
      }
      level = next
    }
  }

  /// Determines whether higher limits would reach new parts, by comparing the results with the results of a
  /// walk with lower limits. Throws if a thread cannot be started.
  mutating func lookNearer(_ report: (_ states: Int, _ transitions: Int, _ waiting: Int) -> Void) throws(ThreadError) {
    isSettled = end == nil && beyond.isEmpty
    guard end == nil, !beyond.isEmpty, app.limits.depth > 1 else { return }
    var nearer = Walk(app: app, until: deadline)
    nearer.app.limits.depth -= 1
    nearer.app.limits.queue = 0
    // Any of the exceeded limits may have prevented new parts from being reached, so the second walk lowers each of them.
    if beyond[.effects] != nil { nearer.app.limits.effects = max(0, nearer.app.limits.effects - 1) }
    if beyond[.waiting] != nil { nearer.app.limits.waiting = max(0, nearer.app.limits.waiting - 1) }
    if beyond[.held] != nil { nearer.app.limits.held = max(0, nearer.app.limits.held - 1) }
    try nearer.run(report)
    isSettled = nearer.end == nil && nearer.reached.isSame(as: reached)
  }

  private mutating func begin() -> [Frontier] {
    let player = Player(app.reducer)
    var level: [Frontier] = []
    for (index, start) in app.starts.enumerated() {
      do throws(Refusal) {
        let (state, transition) = try player.begin(start)
        let fingerprint = app.reducer.fingerprint(of: state, seeing: app.relevance)
        let (number, isNew) = ground.add(fingerprint, .init(state: UInt32(index), move: 0, depth: 0), isStart: true)
        if isNew { level.append(Frontier(number: number, state: state, depth: 0, isBeyond: false)) }
        for branch in player.trail.taken where reached.branches[branch] == nil { reached.branches[branch] = Location(state: number) }
        for event in transition.events where event.type == .dropped && !app.catalogue.definition.drops(event) {
          let observation = Observation(kind: .dropped, subject: "the step \(event.step ?? "")", reason: event.reason ?? "")
          if observations[observation] == nil { observations[observation] = Location(state: number) }
        }
      } catch {
        refusedStarts.append((index, error.detail))
      }
    }
    return level
  }

  /// Merges the results of a part. Parts must be merged in order.
  private mutating func add(_ found: Expansion, _ next: inout [Frontier]) {
    transitions += found.transitions
    observations.merge(found.observations) { first, _ in first }
    reached.add(found.reached)
    var numbers: [UInt32?] = []
    numbers.reserveCapacity(found.candidates.count)
    for candidate in found.candidates {
      if let known = ground.number(of: candidate.fingerprint) {
        numbers.append(known)
        continue
      }
      guard ground.count < min(app.limits.states, Ground.most) else {
        end = .states
        numbers.append(nil)
        continue
      }
      let (number, _) = ground.add(candidate.fingerprint, candidate.origin)
      next.append(
        Frontier(number: number, state: candidate.state, depth: candidate.origin.depth, isBeyond: candidate.beyond != nil))
      if let limit = candidate.beyond { beyond[limit, default: 0] += 1 }
      numbers.append(number)
    }
    for visit in found.visits {
      var arrows: [Ground.Arrow] = []
      var traits = visit.traits
      for (target, maker) in visit.moves {
        let number: UInt32? =
          switch target {
          case .known(let known): known
          case .candidate(let index): numbers[index]
          }
        if let number { arrows.append(.init(to: number, by: maker)) } else { traits.insert(.isEdge) }
      }
      ground.mark(visit.state, traits, claims: visit.claims)
      ground.append(arrows, of: visit.state)
    }
  }
}
