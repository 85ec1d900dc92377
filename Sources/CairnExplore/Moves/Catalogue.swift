import CairnAPI
import CairnCore
import CairnDefinition

/// All that can happen to sessions of an app: what is accepted in a state is picked from here. A new kind of move is a line in `moves(in:)`.
struct Catalogue: Sendable {
  let definition: Definition
  /// By step.
  private let steps: [String: [Move]]
  /// By link, in the order of the definition.
  private let links: [Move]
  private let notifications: [Move]
  /// Raw operations of clients, where these are open.
  private let raw: [Move]
  private let redirect: String?
  private let sight: Sight
  /// The possible results and failures of loads.
  private let answers: LoadMoves
  /// The facts that clients set: a move for each value of each fact.
  private let clientFacts: [(name: String, value: Value, move: Move)]

  private static let token = Move(deed: .token, words: "{ type: token, accessToken: t }")

  init(_ reducer: Reducer, _ palette: Palette, _ sight: Sight, environment: [String: String]) {
    definition = reducer.definition
    let definition = definition
    self.sight = sight
    answers = LoadMoves(definition, palette)
    clientFacts = definition.facts.filter(\.value.isClients).sorted { $0.key < $1.key }.flatMap { name, fact in
      palette.values(of: fact.type, named: name).compactMap(\.self).map { (name, $0, Move(.facts([name: $0]))) }
    }
    steps = Dictionary(
      uniqueKeysWithValues: definition.steps.filter { !$0.value.isInternal }.map { name, step in
        (name, palette.choices(of: step.params).map { Move(.step(Step(name, params: $0), from: nil)) })
      })
    let arrivals = LinkMoves(reducer, palette)
    links = arrivals.links
    notifications = arrivals.notifications
    raw =
      definition.primitives == .open
      ? definition.screens.keys.sorted().flatMap { screen in
        palette.choices(of: definition.screens[screen]?.params ?? [:], most: 4).flatMap { params in
          let route = Action.Route(screen, params: params)
          return [Move(.push(route)), Move(.present(route, style: .sheet, node: nil, replace: false))]
        }
      } : []
    redirect = definition.oauth?.redirectURL.value(in: environment)
  }

  /// The possible moves in a state, always in the same order.
  func moves(in state: State, of reducer: Reducer) -> [Move] {
    let acceptance = reducer.accepts(state)
    let kinds = acceptance.primitives.compactMap(Action.Kind.init(word:))
    var moves: [Move] = []
    // A user cannot touch an app that is in the background.
    if state.leftForeground == nil {
      for step in acceptance.steps { moves += steps[step.step] ?? [] }
      for kind in kinds where kind.isGesture {
        moves += kind == .push ? raw : reducer.actions(of: kind, in: state).map(Move.init)
      }
    }
    for kind in kinds where !kind.isGesture {
      switch kind {
      case .logout where !sight.facts.contains(FactDefinition.accessToken): break
      case .token: if sight.facts.contains(FactDefinition.accessToken), state.wantsToken { moves.append(Self.token) }
      case .facts: moves += clientFacts.filter { $0.value != state.facts[$0.name] }.map(\.move)
      default: moves += reducer.actions(of: kind, in: state).map(Move.init)
      }
    }
    if let redirect, state.newestAuthorization != nil {
      moves.append(
        Move(deed: .redirect("\(redirect)?code=c&state="), words: "{ open: \(YAMLText.quoted("\(redirect)?code=c&state={state}")) }"))
    }
    moves += links
    moves += notifications
    moves += answers.moves(in: state)
    moves += waits(in: state)
    return moves
  }

  /// The next deadline, and where `away` begins to mean something else; and what stands behind a timer that ticks again and again, at its own
  /// time: in between nothing else happens then.
  private func waits(in state: State) -> [Move] {
    let upcoming = state.upcoming
    let marks = state.awayMarks(seeing: sight)
    guard !upcoming.isEmpty || !marks.isEmpty, let now = state.manualTime else { return [] }
    // A request that is made again and again has no end of its own.
    let times =
      upcoming.map { (due: $0.due(after: now), isTicking: $0.isTicking) }.filter { $0.due < .max }
      + marks.map { (due: $0, isTicking: false) }
    guard !times.isEmpty else { return [] }
    let firstTick = times.lazy.filter(\.isTicking).map(\.due).min() ?? .max
    let next = times.lazy.map(\.due).min() ?? now
    var goals: Set<Int> = [next]
    for (due, isTicking) in times where !isTicking && due > firstTick { goals.insert(due) }
    // One advance runs a limited number of ticks, and many take their time.
    let rate = upcoming.reduce(0) { $0 + $1.ticksPerDay }
    return goals.sorted().compactMap { goal in
      let ticks = (goal - now) / 1_000 * rate / 86_400
      guard ticks < 8_000 else { return nil }
      let times = ticks / 900 + 1
      // The last of them comes to the deadline at the latest.
      var move = Move(deed: .advance((goal - now + times - 1) / times, times: times))
      if case .advance(let each, _) = move.deed {
        move.words = Array(repeating: "{ advance: \(DurationText.written(each)) }", count: times)
      }
      return move
    }
  }
}

extension State {
  /// There is no token, or a load was answered that it is not good any more.
  fileprivate var wantsToken: Bool { facts[FactDefinition.accessToken] == nil || refusedToken == tokenWrites }
}

extension Move {
  /// An action that scenario files can say.
  init(_ action: Action) { self.init(deed: .action(action), words: action.scenarioText ?? "") }
}

extension Effect {
  /// How often a timer ticks in a day; 0 for anything that happens once.
  fileprivate var ticksPerDay: Int {
    if case .timer(_, _, _, let period?, _) = work, period > 0 { 86_400_000 / period } else { 0 }
  }

  /// A timer that ticks again and again.
  fileprivate var isTicking: Bool { if case .timer(_, _, _, _?, _) = work { true } else { false } }
}
