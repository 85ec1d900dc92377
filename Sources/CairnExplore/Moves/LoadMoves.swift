import CairnAPI
import CairnCore
import CairnDefinition

/// The ways in which requests can end: the results that conditions and the params of `then` can distinguish, and the failures.
struct LoadMoves: Sendable {
  private let definition: Definition
  private let palette: Palette
  /// The paths in contents and results that the definition reads.
  private let reads: ContentReads
  /// The failures that the definition distinguishes, as statuses and reasons, except a server error and a rejected token.
  private let failures: [String]

  private static let fault = CallFailure.text(of: 500)
  private static let words = ["unreachable", "malformed", "insecure", "not-configured"]

  init(_ definition: Definition, _ palette: Palette) {
    self.definition = definition
    self.palette = palette
    reads = ContentReads(definition, palette)
    let errors = Set(
      definition.templates.flatMap { $0.with.values }.flatMap(\.references).compactMap {
        if case .error(let part) = $0 { part } else { nil }
      })
    var failures: [String] = []
    if errors.contains("status") {
      let statuses = palette.compared(of: Value.integer(0).kindName).compactMap {
        if case .integer(let number) = $0 { number } else { nil }
      }
      failures += statuses.filter { (300..<600).contains($0) && $0 != 500 }.map(CallFailure.text)
    }
    if errors.contains("reason") { failures += Self.words.filter { palette.compared(of: "string").contains(.string($0)) } }
    self.failures = failures
  }

  /// The possible ends of each running load and message, oldest first, and of the oldest token call.
  func moves(in state: State) -> [Move] {
    let loads = state.effects.filter { $0.isRequest && !$0.isExchange && !($0.isMessage && $0.isIdle) }
    var moves: [Move] = []
    for (place, load) in loads.enumerated() {
      // In a scenario, an end without `effect` applies to the oldest load or message.
      let which = place == 0 ? "" : ", effect: \(load.id)"
      moves += results(of: load, in: state).all.map {
        Move(deed: .end(load.id, .loaded($0)), words: "{ loaded: \(YAMLText.flow($0))\(which) }")
      }
      moves += fails(load).map { Move(deed: .end(load.id, .failed($0)), words: "{ failed: \(YAMLText.quoted($0))\(which) }") }
    }
    if let exchange = state.effects.first(where: \.isExchange) {
      moves.append(Move(deed: .end(exchange.id, .exchanged), words: "exchanged"))
      moves.append(Move(deed: .end(exchange.id, .failed(Self.fault)), words: "{ exchangeFailed: \(YAMLText.quoted(Self.fault)) }"))
    }
    return moves
  }

  private func fails(_ load: Effect) -> [String] {
    // A refusal and an unknown end have different consequences for the key of a message.
    if load.isMessage { return ([Self.fault, CallFailure.text(of: 422)] + failures).distinct }
    guard case .request(_, let bearer, _, _, _, _) = load.work else { return [] }
    let refused = CallFailure.text(of: 401)
    return [Self.fault] + (bearer && !failures.contains(refused) ? [refused] : []) + failures
  }

  /// The results to try for a load.
  private func results(of load: Effect, in state: State) -> Results {
    if let message = load.message { return results(message.then, owner: nil) }
    guard case .request(_, _, _, let then, _, _) = load.work else { return Results() }
    return results(then, owner: load.owner.flatMap { state.nodes[$0]?.name })
  }

  /// The results to try for a load that sends the step `then` and belongs to a node with the name `owner`: combinations of values of the
  /// members that are read. A member may also be missing.
  private func results(_ then: StepTemplate?, owner: String?) -> Results {
    var choices = reads.choices(of: owner)
    let params = then.flatMap { definition.steps[$0.step]?.params } ?? [:]
    for (name, expression) in then?.with ?? [:] {
      for case .result(let path) in expression.references where !path.isEmpty {
        let type = params[name] ?? ParameterDefinition(.string)
        let isRead = palette.streams.isRead(name) || choices[path] != nil
        let values = palette.values(of: type, named: name)
        let tried: [Value?] = isRead ? values : Array(values.prefix(1)) + (type.isOptional ? [nil] : [])
        choices[path] = (tried + (choices[path] ?? [])).distinct
      }
    }
    return Results(choices)
  }

  /// The loads of which not all results are tried.
  var doubts: [Doubt] {
    let owners = [nil] + definition.screens.keys.sorted() + definition.flows.keys.sorted()
    let cut = definition.loads.filter { load in load.request != nil && owners.contains { !results(load.then, owner: $0).isWhole } }
    return Set(cut.map { $0.then.map { "a load that sends the step \($0.step)" } ?? "a load" }).sorted().map {
      Doubt("\($0): the members of its result that the app reads have more than \(Results.most) combinations of values")
    }
  }

  /// Whether the state has a running load of which not all results are tried.
  func isCut(in state: State) -> Bool {
    state.effects.contains { $0.isRequest && !$0.isExchange && !results(of: $0, in: state).isWhole }
  }
}

/// The results to try for a load.
private struct Results {
  private(set) var all: [Value] = []
  /// Whether every combination of the members that are read is tried.
  private(set) var isWhole = true

  /// The number of combinations above which only a selection is tried.
  static let most = 64

  init() {}

  /// Creates every combination of these values at these paths, or a selection if there are more than `most`.
  init(_ choices: [[String]: [Value?]]) {
    // A path comes before its extensions. Otherwise the value at a path would replace the values at its extensions.
    let paths = choices.keys.sorted { $0.lexicographicallyPrecedes($1) }
    let values = paths.enumerated().map { place, path -> (String, [Value?]) in
      // If members of a value are read, the value must be an object or missing.
      let isObject = paths.contains { $0.count > path.count && $0.starts(with: path) }
      return (Self.name(of: place), isObject ? [.object([:]), nil] : choices[path] ?? [])
    }
    let picks = Picks(Dictionary(uniqueKeysWithValues: values), most: Self.most)
    isWhole = picks.isWhole
    all =
      picks.all.map { choice in
        var value = Value.object([:])
        for (place, path) in paths.enumerated() { if let part = choice[Self.name(of: place)] { value.set(part, at: path) } }
        return value
      }.distinct
  }

  /// The name of a path. The names sort in the order of the paths' indices.
  private static func name(of place: Int) -> String {
    let digits = String(place)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
