import CairnAPI
import CairnCore

/// A path from a start, with the state at its end.
struct Way {
  var start: Start
  var moves: [Move] = []
  /// The state after all moves.
  var state: State
  /// The refusal of the last move; `nil` if the move was accepted.
  var refusal: Refusal?
  /// The events of the last move.
  var events: [Event] = []
  /// The branches of handlers that ran, in order and with repetitions.
  var branches: [Int] = []
}

extension Walk {
  /// Replays the shortest path to a location. Returns `nil` if the start is refused, which is not expected, because the walk has used the
  /// same start.
  func way(to location: Location, by player: Player) -> Way? {
    var origins: [Ground.Origin] = []
    var number = location.state
    while !ground.traits[Int(number)].contains(.isStart) {
      origins.append(ground.origins[Int(number)])
      number = ground.origins[Int(number)].state
    }
    let start = app.starts[Int(ground.origins[Int(number)].state)]
    guard let state = try? player.begin(start).state else { return nil }
    var way = Way(start: start, state: state)
    for origin in origins.reversed() { go(&way, Int(origin.move), by: player) }
    if let move = location.move { go(&way, Int(move), by: player) }
    return way
  }

  /// Extends the path by a move, given by its index among the moves of the current state. Does nothing if there is no such move.
  func go(_ way: inout Way, _ index: Int, by player: Player) {
    let moves = app.catalogue.moves(in: way.state, of: app.reducer)
    guard moves.indices.contains(index) else { return }
    go(&way, moves[index], by: player)
  }

  func go(_ way: inout Way, _ move: Move, by player: Player) {
    let depth = way.moves.count
    way.moves.append(move)
    do throws(Refusal) {
      way.events = try player.make(move, on: &way.state, depth: depth).events
      way.refusal = nil
    } catch {
      way.events = []
      way.refusal = error
    }
    way.branches += player.trail.taken
  }
}

extension Way {
  /// A passing case of a scenario file: the moves of the path, and the expectation at its end.
  func scenario(named name: String, then: String) -> String {
    var lines = ["- name: \(YAMLText.quoted(name))"]
    if let given = start.words { lines.append("  given: \(given)") }
    lines.append("  steps:")
    if moves.count > 1 {
      lines.append("    - when:")
      lines += moves.dropLast().flatMap(\.words).map { "        - \($0)" }
    }
    if let last = moves.last {
      lines += ["    - when: \(last.inLine)", "      then: \(then)"]
    } else {
      lines.append("    - then: \(then)")
    }
    return lines.joined(separator: "\n")
  }

  /// A passing case of a scenario file whose `given` names the old definition. It consists of the moves of the path, the migration and the
  /// expectation.
  func scenario(named name: String, migratingTo then: String) -> String {
    var lines = ["- name: \(YAMLText.quoted(name))"]
    if let given = start.words { lines.append("  given: \(given)") }
    lines += ["  steps:", "    - when:"]
    lines += moves.flatMap(\.words).map { "        - \($0)" }
    lines += ["        - migrate", "      then: \(then)"]
    return lines.joined(separator: "\n")
  }

  /// A passing case of a scenario file: the moves of the path, then a queue of actions without a network. `then` is the expectation besides the refused
  /// actions; empty if there is none.
  func scenario(named name: String, without queue: OfflineTrial.Fault, then: String) -> String {
    var lines = ["- name: \(YAMLText.quoted(name))"]
    if let given = start.words { lines.append("  given: \(given)") }
    lines.append("  steps:")
    if !moves.isEmpty { lines += ["    - when:"] + moves.flatMap(\.words).map { "        - \($0)" } }
    lines += [
      "    - offline: [\(queue.taps.flatMap(\.words).joined(separator: ", "))]", "      meanwhile: \(queue.entry.inLine)",
      "      online: { refused: [\(queue.refusals.joined(separator: ", "))]\(then.isEmpty ? "" : ", \(then)") }",
    ]
    return lines.joined(separator: "\n")
  }

  /// The tree at the end of the path, or the refusal, as a scenario's expectation.
  func seen(by reducer: Reducer) -> String {
    if let refusal { return "{ refused: \(refusal.code.rawValue) }" }
    let dropped = events.filter { $0.type == .dropped }.map { YAMLText.quoted("\($0.step ?? "") \($0.reason ?? "")") }
    let drops = dropped.isEmpty ? "" : ", dropped: [\(dropped.joined(separator: ", "))]"
    return "{ \(reducer.expectation(of: state))\(drops) }"
  }
}

extension Reducer {
  /// The tree of a state as a scenario's expectation.
  func expectation(of state: State) -> String {
    // The URL of an open login page contains a fresh OAuth state, so the expectation only names the visible screens.
    guard state.newestAuthorization == nil else { return "stack: [\(routes(of: state).map(\.screen).joined(separator: ", "))]" }
    return "tree: \(YAMLText.quoted(tree(of: state).sketch))"
  }
}
