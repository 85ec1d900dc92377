import CairnCore

// Builds a small set of scenarios that contain every transition, as regression tests for an app without scenarios.
extension Walk {
  /// The maximum number of extensions of a scenario after it has reached its first transition.
  private static let furtherMoves = 40

  /// Returns scenarios that contain each transition at least once. Each scenario begins with the path to the most distant remaining
  /// transition, and continues with remaining transitions nearby.
  func cover() -> [String] {
    let player = Player(app.reducer)
    var left = reached.passages
    var cases: [String] = []
    let order = reached.passages.sorted {
      ($0.value.state, $0.value.move ?? 0, $0.key.deed) > ($1.value.state, $1.value.move ?? 0, $1.key.deed)
    }
    for (passage, location) in order where left[passage] != nil {
      guard let way = way(to: Location(state: location.state), by: player) else { continue }
      var tour = Tour(way.start, app, player)
      for move in way.moves { tour.take(move, player, &left) }
      if let index = location.move, let move = tour.moves(app, at: Int(index)) { tour.take(move, player, &left) }
      for _ in 0..<Self.furtherMoves { guard tour.takeNext(player, &left) else { break } }
      left[passage] = nil
      cases.append(tour.scenario(named: "tour \(cases.count + 1)"))
    }
    return cases
  }
}

/// A scenario that is extended move by move. It expects the visible tree after each move.
private struct Tour {
  private let app: App
  private let start: Start
  private var state: State?
  private var lines: [String] = []
  private var count = 0

  init(_ start: Start, _ app: App, _ player: Player) {
    self.app = app
    self.start = start
    state = try? player.begin(start).state
  }

  func moves(_ app: App, at index: Int) -> Move? {
    guard let state else { return nil }
    let moves = app.catalogue.moves(in: state, of: app.reducer)
    return moves.indices.contains(index) ? moves[index] : nil
  }

  mutating func take(_ move: Move, _ player: Player, _ left: inout [Passage: Location]) {
    guard let state else { return }
    var way = Way(start: start, state: state)
    let screen = app.reducer.front(of: state)?.screen
    do throws(Refusal) {
      way.events = try player.make(move, on: &way.state, depth: count).events
    } catch {
      way.refusal = error
    }
    left[Passage(from: screen, by: move, player.trail.taken)] = nil
    lines += ["    - when: \(move.inLine)", "      then: \(way.seen(by: app.reducer))"]
    self.state = way.state
    count += 1
  }

  /// Extends the scenario to the nearest remaining transition. Returns `false` if no remaining transition is near.
  mutating func takeNext(_ player: Player, _ left: inout [Passage: Location]) -> Bool {
    guard !left.isEmpty, let state else { return false }
    var open: [(state: State, moves: [Move])] = [(state, [])]
    var seen: Set<StateFingerprint> = [app.reducer.fingerprint(of: state, seeing: app.relevance)]
    while !open.isEmpty, seen.count < Self.mostStates {
      let (here, way) = open.removeFirst()
      let screen = app.reducer.front(of: here)?.screen
      for move in app.catalogue.moves(in: here, of: app.reducer) {
        var next = here
        guard (try? player.make(move, on: &next, depth: count + way.count)) != nil, Beyond(next, app.limits) == nil else { continue }
        if left[Passage(from: screen, by: move, player.trail.taken)] != nil {
          for move in way + [move] { take(move, player, &left) }
          return true
        }
        if seen.insert(app.reducer.fingerprint(of: next, seeing: app.relevance)).inserted { open.append((next, way + [move])) }
      }
    }
    return false
  }

  /// The maximum number of states that the search for a near transition visits.
  private static let mostStates = 60

  func scenario(named name: String) -> String {
    (["- name: \(name)"] + (start.words.map { ["  given: \($0)"] } ?? []) + ["  steps:"] + lines).joined(separator: "\n")
  }
}
