import CairnAPI
import CairnCore

/// A way from a start, and where it ends.
struct Way {
  var start: Start
  var moves: [Move] = []
  /// After all moves.
  var state: State
  /// Why the last move was refused.
  var refusal: Refusal?
  /// The events of the last move.
  var events: [Event] = []
  /// The branches that ran, each as often as it did.
  var branches: [Int] = []
}

extension Walk {
  /// The shortest way to a spot, gone again from its start. nil cannot be: each state was found by such a way.
  func way(to spot: Spot, by player: Player) -> Way? {
    var origins: [Ground.Origin] = []
    var number = spot.state
    while !ground.traits[Int(number)].contains(.isStart) {
      origins.append(ground.origins[Int(number)])
      number = ground.origins[Int(number)].state
    }
    let start = app.starts[Int(ground.origins[Int(number)].state)]
    guard let state = try? player.begin(start).state else { return nil }
    var way = Way(start: start, state: state)
    for origin in origins.reversed() { go(&way, Int(origin.move), by: player) }
    if let move = spot.move { go(&way, Int(move), by: player) }
    return way
  }

  /// One move more.
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
  /// A case of a scenario file that holds: what happens, and what is seen then.
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

  /// The view at the end, as a scenario expects it.
  func seen(by reducer: Reducer) -> String {
    if let refusal { return "{ refused: \(refusal.code.rawValue) }" }
    let dropped = events.filter { $0.type == .dropped }.map { YAMLText.quoted("\($0.step ?? "") \($0.reason ?? "")") }
    let drops = dropped.isEmpty ? "" : ", dropped: [\(dropped.joined(separator: ", "))]"
    // The page of a login shows a state of its own, which is another one each time.
    guard state.newestAuthorization == nil else {
      return "{ stack: [\(reducer.routes(of: state).map(\.screen).joined(separator: ", "))]\(drops) }"
    }
    return "{ tree: \(YAMLText.quoted(reducer.tree(of: state).sketch))\(drops) }"
  }
}
