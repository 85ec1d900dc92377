import CairnCore
import CairnDefinition

/// All that can happen to sessions of an app: what is accepted in a state is picked from here. A new kind of move is a line in `moves(in:)`.
struct Catalogue: Sendable {
  let definition: Definition
  let palette: Palette
  /// By step.
  private let steps: [String: [Move]]
  /// By link, in the order of the definition.
  private let links: [Move]
  private let notifications: [Move]
  /// Raw operations of clients, where these are open.
  private let raw: [Move]
  private let redirect: String?

  private static let pop = Move(deed: .action(.pop(count: 1, node: nil)), words: "{ type: pop }")
  private static let popToRoot = Move(deed: .action(.popToRoot), words: "{ type: popToRoot }")
  private static let dismiss = Move(deed: .action(.dismiss(node: nil)), words: "{ type: dismiss }")
  private static let logout = Move(deed: .action(.logout), words: "{ type: logout }")
  private static let token = Move(deed: .token, words: "{ type: token, accessToken: t }")

  init(_ reducer: Reducer, _ palette: Palette, environment: [String: String]) {
    definition = reducer.definition
    let definition = definition
    self.palette = palette
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

  /// What can happen in a state, always in the same order.
  func moves(in state: State, of reducer: Reducer) -> [Move] {
    let acceptance = reducer.accepts(state)
    var moves: [Move] = []
    for step in acceptance.steps { moves += steps[step.step] ?? [] }
    let goals = reducer.goals(in: state)
    for primitive in acceptance.primitives {
      switch primitive {
      case "pop": moves.append(Self.pop)
      case "popTo": moves += goals.screensBack.map { Move(.popTo(.screen($0))) }
      case "popToRoot": moves.append(Self.popToRoot)
      case "dismiss": moves.append(Self.dismiss)
      case "select": moves += (0..<goals.tabs).map { Move(.select(.tab($0), node: nil)) }
      case "push": moves += raw
      case "logout": moves.append(Self.logout)
      case "token": if state.facts[FactDefinition.accessToken] == nil { moves.append(Self.token) }
      default: break
      }
    }
    if let redirect, state.newestAuthorization != nil {
      moves.append(Move(deed: .redirect("\(redirect)?code=c&state="), words: "{ open: \("\(redirect)?code=c&state={state}".quoted) }"))
    }
    moves += links
    moves += notifications
    moves += ends(in: state)
    moves += waits(in: state)
    return moves
  }

  /// How the oldest load and the oldest token call can end.
  private func ends(in state: State) -> [Move] {
    var moves: [Move] = []
    if let load = state.effects.first(where: { $0.isRequest && !$0.isExchange }) {
      moves += results(of: load).map { Move(deed: .load(.loaded($0)), words: "{ loaded: \($0.words) }") }
      moves.append(Move(deed: .load(.failed("http-status: 500")), words: "{ failed: \"http-status: 500\" }"))
    }
    if state.effects.contains(where: \.isExchange) {
      moves.append(Move(deed: .exchange(.exchanged), words: "exchanged"))
      moves.append(Move(deed: .exchange(.failed("http-status: 500")), words: "{ exchangeFailed: \"http-status: 500\" }"))
    }
    return moves
  }

  /// What a load may bring, as far as its `then` and the conditions can tell.
  private func results(of load: Effect) -> [Value] {
    guard case .request(_, _, _, let then, _) = load.work else { return [] }
    var types: [String: ParameterDefinition] = [:]
    let params = then.flatMap { definition.steps[$0.step]?.params } ?? [:]
    for (name, expression) in then?.with ?? [:] {
      for reference in expression.references {
        guard case .result(let path) = reference else { continue }
        types[path.joined(separator: ".")] = params[name] ?? ParameterDefinition(.string)
      }
    }
    return palette.choices(of: types, most: 16).map { choice in
      var value = Value.object([:])
      for (path, part) in choice.sorted(by: { $0.key < $1.key }) { value.set(part, at: path.split(separator: ".").map(String.init)) }
      return value
    }
  }

  /// The next deadline; and what stands behind a timer that ticks again and again, at its own time: in between nothing else happens then.
  private func waits(in state: State) -> [Move] {
    let upcoming = state.upcoming
    guard !upcoming.isEmpty, let now = state.manualTime else { return [] }
    let times = upcoming.map { (due: $0.due(after: now), isTicking: $0.isTicking) }
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
      if case .advance(let each, _) = move.deed { move.words = Array(repeating: "{ advance: \(durationWords(each)) }", count: times) }
      return move
    }
  }
}

extension Move {
  /// An action that scenario files can say.
  init(_ action: Action) { self.init(deed: .action(action), words: action.words ?? "") }
}

extension Effect {
  /// How often a timer ticks in a day; 0 for anything that happens once.
  fileprivate var ticksPerDay: Int {
    if case .timer(_, _, _, let period?, _) = work, period > 0 { 86_400_000 / period } else { 0 }
  }

  /// A timer that ticks again and again.
  fileprivate var isTicking: Bool { if case .timer(_, _, _, _?, _) = work { true } else { false } }
}
