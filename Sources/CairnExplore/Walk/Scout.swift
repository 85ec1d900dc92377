import CairnCore
import CairnDefinition
import CairnRuntime

/// Tries the moves of states. It only reads the shared `Ground`, and returns its results separately.
///
/// `Sendable` is unchecked: only one thread uses a scout at a time.
final class Scout: @unchecked Sendable {
  let catalogue: Catalogue
  let relevance: Relevance
  let claims: Claims
  let limits: Limits
  let player: Player
  private let migrator: Migrator?
  private let covers: Bool
  /// Tries queues of actions; `nil` if they are not tried.
  private let offline: OfflineTrial?
  /// The handlers and moves that have already been checked for growth or restarts.
  private var judged: Set<String> = []

  init(_ app: App) {
    catalogue = app.catalogue
    relevance = app.relevance
    claims = app.claims
    limits = app.limits
    covers = app.covers
    migrator = app.migrator
    player = Player(app.reducer)
    offline = app.limits.queue > 0 ? OfflineTrial(player, catalogue, relevance, length: app.limits.queue) : nil
  }

  /// Explores some states of a level until the deadline (`Monotonic`); `nil` for no deadline.
  func explore(_ states: ArraySlice<Frontier>, on ground: Ground, known: Reached, until deadline: UInt64?) -> Expansion {
    var found = Expansion()
    for place in states {
      if let deadline, Monotonic.now() >= deadline { break }
      visit(place, on: ground, known, &found)
    }
    return found
  }

  private func visit(_ place: Frontier, on ground: Ground, _ known: Reached, _ found: inout Expansion) {
    let state = place.state
    let here = Location(state: place.number, move: nil)
    for screen in player.reducer.screens(in: state) where known.screens[screen] == nil && found.reached.screens[screen] == nil {
      found.reached.screens[screen] = here
    }
    var visit = Expansion.Visit(state: place.number, traits: [], claims: judge(state, here, &found))
    if let migrator { judgeMigration(of: state, by: migrator, here, &found) }
    guard !place.isBeyond else {
      visit.traits = .isEdge
      return found.visits.append(visit)
    }
    visit.traits = .isExpanded
    if catalogue.isCut(in: state, of: player.reducer) { visit.traits.insert(.isEdge) }
    let front = player.reducer.front(of: state)
    let fingerprint = player.reducer.fingerprint(of: state, seeing: relevance)
    let moves = catalogue.moves(in: state, of: player.reducer)
    found.transitions += moves.count
    for (index, move) in moves.enumerated() {
      let location = Location(state: place.number, move: UInt16(truncatingIfNeeded: index))
      var next = state
      let transition: Transition
      do throws(Refusal) {
        transition = try player.make(move, on: &next, depth: Int(place.depth))
      } catch {
        note(error, of: move, in: state, location, &found)
        noteBranches(location, known, &found)
        continue
      }
      noteBranches(location, known, &found)
      noteEvents(transition, of: move, in: state, location, &found)
      if move.maker == .nature, !player.reducer.restarts(from: state, to: next).isEmpty {
        judgeRestart(of: next, by: move, place, location, &found)
      }
      if covers {
        let passage = Passage(from: front?.screen, by: move, player.trail.taken)
        if known.passages[passage] == nil, found.reached.passages[passage] == nil { found.reached.passages[passage] = location }
      }
      let reached = player.reducer.fingerprint(of: next, seeing: relevance)
      guard reached != fingerprint else { continue }
      if getsOn(by: move.maker, front, to: next) { visit.traits.insert(.isAlive) }
      if move.maker == .nature, next.nodes.count > state.nodes.count { judgeGrowth(of: next, by: move, place, location, &found) }
      if let number = ground.number(of: reached) {
        visit.moves.append((.known(number), move.maker))
        continue
      }
      visit.moves.append((.candidate(found.candidates.count), move.maker))
      found.candidates.append(
        .init(
          fingerprint: reached, state: next,
          origin: .init(state: place.number, move: UInt16(truncatingIfNeeded: index), depth: place.depth + 1),
          beyond: Beyond(next, limits)))
    }
    for observation in (offline?.faults(in: state, moves) ?? [:]).keys { found.note(observation, here) }
    found.visits.append(visit)
  }

  /// Whether a move makes progress for the user. A login, a logout or a move from outside counts only if it shows a different node, and if
  /// the steps of the previous screen were still handled.
  private func getsOn(by maker: Move.Maker, _ front: (screen: String, node: NodeID, isHeard: Bool)?, to next: State) -> Bool {
    switch maker {
    case .user: return true
    case .nature, .device: return false
    case .login, .outside:
      guard front?.isHeard ?? true, let then = player.reducer.front(of: next) else { return false }
      return then.node != front?.node
    }
  }

  /// Checks the claims in a state. Violated claims about all states are recorded as observations. Returns the bits of the claims about reachability.
  private func judge(_ state: State, _ here: Location, _ found: inout Expansion) -> [UInt64] {
    for (place, (name, when, then)) in claims.always.enumerated() {
      guard when.map({ player.reducer.holds($0, in: state) }) ?? true else { continue }
      found.reached.judged.insert(place)
      guard !player.reducer.holds(then, in: state) else { continue }
      found.note(.init(kind: .claim, subject: name, reason: ""), here)
    }
    guard !claims.reachable.isEmpty else { return [] }
    var words = [UInt64](repeating: 0, count: Claims.words(of: claims.reachable.count))
    for (number, claim) in claims.reachable.enumerated() {
      if claim.from.map({ player.reducer.holds($0, in: state) }) ?? true { words[Claims.word(of: number)] |= Claims.begins(number) }
      if player.reducer.holds(claim.to, in: state) { words[Claims.word(of: number)] |= Claims.ends(number) }
    }
    return words
  }

  /// Records a state that cannot move to the other definition. Equal reasons are recorded only once, even if they concern different nodes.
  private func judgeMigration(of state: State, by migrator: Migrator, _ here: Location, _ found: inout Expansion) {
    var moved = state
    var meter = Meter(Bounds())
    do throws(MigrationObstacle) {
      _ = try migrator.migrate(
        &moved, environment: state.environment, stamp: Stamp(time: state.manualTime ?? 0, nonce: "migration"), meter: &meter)
    } catch {
      found.note(.init(kind: .migration, subject: error.reason.replacing(#/ \(n[0-9]+\)/#, with: ""), reason: ""), here)
    }
  }

  private func noteBranches(_ location: Location, _ known: Reached, _ found: inout Expansion) {
    for branch in player.trail.taken where known.branches[branch] == nil && found.reached.branches[branch] == nil {
      found.reached.branches[branch] = location
    }
  }

  /// Records a step loop, or the refusal of a user's move that the state offered.
  private func note(_ refusal: Refusal, of move: Move, in state: State, _ location: Location, _ found: inout Expansion) {
    if refusal.code == .stepLoop {
      return found.note(.init(kind: .stepLoop, subject: lastBranch ?? move.inLine, reason: refusal.code.rawValue), location)
    }
    // Links and notifications may be refused, because the state does not list them as possible. The tried values may also have the wrong type.
    guard move.maker == .user, refusal.code != .invalid, refusal.code != .valueMismatch else { return }
    guard case .action(.step(let step, _)) = move.deed else {
      if refusal.code == .guarded, move.gesture.map({ player.reducer.accepts(state).guarded.contains($0) }) ?? true { return }
      return found.note(.init(kind: .refused, subject: move.inLine, reason: refusal.code.rawValue), location)
    }
    found.note(.init(kind: .refused, subject: lastBranch ?? "the step \(step.step)", reason: refusal.code.rawValue), location)
  }

  /// The handler and branch that ran last, as text; `nil` if none has run.
  private var lastBranch: String? {
    player.trail.taken.last.map { player.trail.branches[$0].text(of: catalogue.definition) }
  }

  private func noteEvents(
    _ transition: Transition, of move: Move, in state: State, _ location: Location, _ found: inout Expansion
  ) {
    let isSeen = !transition.isCovered
    func noteFollowed(_ link: Int) {
      if found.reached.followed[link] == nil { found.reached.followed[link] = location }
      if isSeen { found.reached.seen.insert(link) }
    }
    if transition.outcome != .pending, let link = link(of: move, in: state) { noteFollowed(link) }
    for event in transition.events {
      switch event.type {
      case .dropped:
        if catalogue.definition.drops(event) { continue }
        found.note(.init(kind: .dropped, subject: "the step \(event.step ?? "")", reason: event.reason ?? ""), location)
      case .linkHeld: if let link = link(of: event), found.reached.held[link] == nil { found.reached.held[link] = location }
      case .linkResumed:
        guard let link = link(of: event) else { continue }
        if found.reached.resumed[link] == nil { found.reached.resumed[link] = location }
        noteFollowed(link)
      default: continue
      }
    }
  }

  /// The link that a move follows; `nil` if the move follows none. The link depends on the state if a link of the app has a condition.
  private func link(of move: Move, in state: State) -> Int? {
    guard case .open(let url, let link) = move.deed, catalogue.definition.links.contains(where: { $0.when != nil }) else {
      return move.link
    }
    let opening = player.reducer.opening(of: .open(url: url), in: state, stamp: Stamp(time: state.manualTime ?? 0, nonce: ""))
    return opening == nil ? link : opening?.link?.index
  }

  private func link(of event: Event) -> Int? { event.url.flatMap { player.reducer.definition.link(taking: $0) } }

  /// Records the handler or move after which nodes are added again and again without input, while the clock advances and each load returns its first result.
  private func judgeGrowth(of grown: State, by move: Move, _ place: Frontier, _ location: Location, _ found: inout Expansion) {
    let subject = player.trail.taken.last.map { player.trail.branches[$0].text(of: catalogue.definition) } ?? move.inLine
    guard judged.insert(subject).inserted else { return }
    var state = grown
    var most = state.nodes.count
    var steps = 0
    for turn in 1...Self.mostTurns {
      guard
        let next = catalogue.moves(in: state, of: player.reducer).first(where: { $0.maker == .nature }),
        (try? player.make(next, on: &state, depth: Int(place.depth) + turn)) != nil
      else { break }
      guard state.nodes.count > most else { continue }
      most = state.nodes.count
      steps += 1
    }
    if steps >= Self.growth { found.note(.init(kind: .growth, subject: subject, reason: ""), location) }
  }

  /// Records a load that restarts itself repeatedly without input.
  private func judgeRestart(of restarted: State, by move: Move, _ place: Frontier, _ location: Location, _ found: inout Expansion) {
    let subject = lastBranch ?? move.inLine
    guard judged.insert("restart \(subject)").inserted else { return }
    var state = restarted
    for turn in 1...Self.growth {
      let before = state
      guard
        let next = catalogue.moves(in: state, of: player.reducer).first(where: { $0.maker == .nature }),
        (try? player.make(next, on: &state, depth: Int(place.depth) + turn)) != nil,
        !player.reducer.restarts(from: before, to: state).isEmpty
      else { return }
    }
    found.note(.init(kind: .restart, subject: subject, reason: ""), location)
  }

  /// `mostTurns` is the maximum number of moves in the check for growth. `growth` is the number of times that the state must grow, or that
  /// the load must restart, to be a finding.
  private static let mostTurns = 16
  private static let growth = 5
}

extension Expansion {
  /// Records an observation. The first location is kept, because it is the nearest to the start.
  mutating func note(_ observation: Observation, _ location: Location) {
    if observations[observation] == nil { observations[observation] = location }
  }
}

extension Move {
  /// The gesture's name in the list of guarded gestures that a state reports; `nil` if the move is not such a gesture.
  fileprivate var gesture: String? {
    switch deed {
    case .action(.gesture(.pop, _)): "pop"
    case .action(.gesture(.popToRoot, _)): "popToRoot"
    case .action(.gesture(.dismiss, _)): "dismiss"
    case .action(.gesture(.back, _)): "back"
    default: nil
    }
  }
}

extension Definition {
  /// Whether the event reports an unhandled step, and the definition permits such steps (`unhandled: drop`).
  func drops(_ event: Event) -> Bool { unhandled == .drop && event.reason == Refusal.Code.notHandled.rawValue }
}

extension Trail.Branch {
  /// The flow, the step and, if there are several branches, the number of the branch.
  func text(of definition: Definition) -> String {
    let count = definition.flows[flow]?.handle[step]?.branches.count ?? 1
    return count > 1 ? "\(flow) \(step), branch \(index + 1)" : "\(flow) \(step)"
  }
}
