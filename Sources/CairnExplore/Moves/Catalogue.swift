import CairnAPI
import CairnCore
import CairnDefinition

/// All moves that sessions of an app can make. `moves(in:)` selects the possible moves of a state. A new kind of move must be added to that
/// function.
struct Catalogue: Sendable {
  let definition: Definition
  /// The moves that send a step, by step.
  private let steps: [String: [Move]]
  /// The moves that open a link, in the order of the definition.
  private let links: [Move]
  private let notifications: [Move]
  /// The moves in which an operator posts a step.
  private let operators: [Move]
  private let redirect: String?
  private let relevance: Relevance
  /// The possible results and failures of loads.
  private let answers: LoadMoves
  /// The facts that clients may set, with a move for each value of each fact.
  private let clientFacts: [(name: String, value: Value, move: Move)]

  /// The values that are not tried although a condition can distinguish them.
  let doubts: [Doubt]
  /// The names of the steps whose params are not tried with all values.
  private let doubtful: Set<String>

  private static let token = Move(deed: .token, words: "{ type: token, accessToken: t }")

  init(_ reducer: Reducer, _ palette: Palette, _ relevance: Relevance, environment: [String: String]) {
    definition = reducer.definition
    let definition = definition
    self.relevance = relevance
    answers = LoadMoves(definition, palette)
    let params = definition.steps.filter { !$0.value.isInternal }.mapValues { palette.choices(of: $0.params) }
    let arrivals = LinkMoves(reducer, palette)
    let cut = params.filter { !$0.value.isWhole }.keys.sorted()
    let comparisons = palette.streams.doubts
    doubts =
      comparisons + cut.map { Doubt("the step \($0): conditions read more than 64 combinations of its params' values") } + answers.doubts
      + arrivals.doubts + Self.ticks(definition) + Self.unknownMoments(definition)
    let names = comparisons.reduce(into: Set<String>()) { $0.formUnion($1.names) }
    doubtful = Set(cut).union(definition.steps.filter { !names.isDisjoint(with: $0.value.params.keys) }.keys)
    clientFacts = definition.facts.filter(\.value.isClients).sortedByKey.flatMap { name, fact in
      palette.values(of: fact.type, named: name).compactMap(\.self).map { (name, $0, Move(.facts([name: $0]))) }
    }
    let posts = params.mapValues(\.all).map { name, picks in (name, picks.map { Move(.step(Step(name, params: $0), from: nil)) }) }
    steps = Dictionary(uniqueKeysWithValues: posts)
    operators = posts.filter { definition.steps[$0.0]?.isOperators == true }.sorted { $0.0 < $1.0 }.flatMap(\.1)
    links = arrivals.links
    notifications = arrivals.notifications
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
      for (node, step) in state.stepsOfOverlays(by: reducer) {
        for case .action(.step(let step, _)) in (steps[step] ?? []).map(\.deed) { moves.append(Move(.step(step, from: node))) }
      }
      moves += state.touchableOverlays.map { Move(.dismiss(node: $0)) }
      for kind in kinds where kind.isGesture { moves += reducer.actions(of: kind, in: state).map(Move.init) }
    }
    moves += operators
    for kind in kinds where !kind.isGesture {
      switch kind {
      case .logout where !relevance.facts.contains(FactDefinition.accessToken): break
      case .token: if relevance.facts.contains(FactDefinition.accessToken), state.wantsToken { moves.append(Self.token) }
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
    moves += waits(in: state, of: reducer)
    return moves
  }

  /// Whether some possible moves of the state are not tried. The state may then have another way out.
  func isCut(in state: State, of reducer: Reducer) -> Bool {
    guard !doubts.isEmpty else { return false }
    return answers.isCut(in: state) || doubtful.contains { definition.steps[$0]?.isOperators == true }
      || !doubtful.isEmpty && reducer.accepts(state).steps.contains { doubtful.contains($0.step) }
  }

  /// The doubt to report if a timer can be due after too many ticks of a repeating timer; otherwise empty.
  private static func ticks(_ definition: Definition) -> [Doubt] {
    let made =
      [definition.root] + (definition.flows.values.flatMap(\.arrivals) + definition.operations.flatMap(\.parts.makes)).map(\.contribution)
    let timers = definition.operations.flatMap(\.parts.timers) + made.flatMap(\.after)
    guard let period = timers.filter(\.repeats).map(\.delay).min(), let longest = timers.filter({ !$0.repeats }).map(\.delay).max(),
      longest / max(1, period) >= Self.mostTicks
    else { return [] }
    return [Doubt("a timer that is due after more than \(Self.mostTicks) ticks of another timer")]
  }

  /// The doubt to report if a condition compares the time with a moment that is not a fact of the session or a constant; otherwise empty.
  private static func unknownMoments(_ definition: Definition) -> [Doubt] {
    let unknown = definition.guards.flatMap(\.leaves).filter { $0.readsTime && $0.moments.isEmpty }
    return unknown.isEmpty ? [] : [Doubt("a condition on the time whose moment or zone is not a fact of the session")]
  }

  /// A wait of this number of ticks, or of more, is not tried.
  private static let mostTicks = 8_000

  /// Moves that advance the clock to the next event, and to each event after the first tick of a repeating timer. An event is a deadline, or a time at
  /// which a condition on `away` or on the time may change its result. Nothing else happens between these times.
  private func waits(in state: State, of reducer: Reducer) -> [Move] {
    let upcoming = state.upcoming
    let marks = reducer.marks(of: state, seeing: relevance)
    guard !upcoming.isEmpty || !marks.isEmpty, let now = state.manualTime else { return [] }
    // A polling request has no deadline.
    let times =
      upcoming.map { (due: $0.due(after: now), isTicking: $0.isTicking) }.filter { $0.due < .max }
      + marks.map { (due: $0, isTicking: false) }
    guard !times.isEmpty else { return [] }
    let firstTick = times.lazy.filter(\.isTicking).map(\.due).min() ?? .max
    let next = times.lazy.map(\.due).min() ?? now
    var goals: Set<Int> = [next]
    for (due, isTicking) in times where !isTicking && due > firstTick { goals.insert(due) }
    // A single advance runs a limited number of ticks, so a wait may consist of several advances. A wait of
    // very many ticks is omitted, because it would take too long.
    let rate = upcoming.reduce(0) { $0 + $1.ticksPerDay }
    return goals.sorted().compactMap { goal in
      let ticks = (goal - now) / 1_000 * rate / 86_400
      guard ticks < Self.mostTicks else { return nil }
      let times = ticks / 900 + 1
      // The last advance ends at the deadline, or less than `times` milliseconds after it.
      var move = Move(deed: .advance((goal - now + times - 1) / times, times: times))
      if case .advance(let each, _) = move.deed {
        move.words = Array(repeating: "{ advance: \(DurationText.written(each)) }", count: times)
      }
      return move
    }
  }
}

extension State {
  /// Whether the session has no token, or a request was rejected because of its current token.
  fileprivate var wantsToken: Bool { facts[FactDefinition.accessToken] == nil || refusedToken == tokenWrites }
}

extension Move {
  /// A move with an action that scenario files can express.
  init(_ action: Action) { self.init(deed: .action(action), words: action.scenarioText ?? "") }
}

extension Effect {
  /// The number of ticks per day of a repeating timer; 0 for any other effect.
  fileprivate var ticksPerDay: Int {
    if case .timer(_, _, _, let period?, _) = work, period > 0 { 86_400_000 / period } else { 0 }
  }

  /// Whether the effect is a repeating timer.
  fileprivate var isTicking: Bool { if case .timer(_, _, _, _?, _) = work { true } else { false } }
}
