import CairnAPI
import CairnCore
import CairnDefinition

/// The ways in which requests can end: the results that conditions and the params of `then` can distinguish, and the failures.
struct LoadMoves: Sendable {
  private let definition: Definition
  private let palette: Palette
  /// The paths in contents and results that the definition reads.
  private let reads: ContentReads
  /// Failures that the definition distinguishes, besides a server error and a rejected token: statuses and reasons.
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

  /// The possible ends of each running load, oldest first, and of the oldest token call.
  func moves(in state: State) -> [Move] {
    let loads = state.effects.filter { $0.isRequest && !$0.isExchange }
    var moves: [Move] = []
    for (place, load) in loads.enumerated() {
      // A scenario that names no load means the oldest one.
      let which = place == 0 ? "" : ", effect: \(load.id)"
      moves += results(of: load, in: state).map {
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
    guard case .request(_, let bearer, _, _, _, _) = load.work else { return [] }
    let refused = CallFailure.text(of: 401)
    return [Self.fault] + (bearer && !failures.contains(refused) ? [refused] : []) + failures
  }

  /// The results to try: every combination of the distinguished values if there are at most 16, otherwise a selection.
  private func results(of load: Effect, in state: State) -> [Value] {
    guard case .request(_, _, _, let then, _, _) = load.work else { return [] }
    let owner = load.owner.flatMap { state.nodes[$0]?.name }
    var choices = reads.choices(of: owner)
    let params = then.flatMap { definition.steps[$0.step]?.params } ?? [:]
    for (name, expression) in then?.with ?? [:] {
      for case .result(let path) in expression.references where !path.isEmpty {
        let values = palette.values(of: params[name] ?? ParameterDefinition(.string), named: name)
        choices[path] = values + (choices[path] ?? []).filter { !values.contains($0) }
      }
    }
    // Shorter paths come first, so that writing them does not erase the values inside.
    let paths = choices.keys.sorted { $0.lexicographicallyPrecedes($1) }
    let named = Dictionary(uniqueKeysWithValues: paths.enumerated().map { (Self.name(of: $0.offset), choices[$0.element] ?? []) })
    return palette.picks(named, most: 16).map { choice in
      var value = Value.object([:])
      for (place, path) in paths.enumerated() { if let part = choice[Self.name(of: place)] { value.set(part, at: path) } }
      return value
    }
  }

  /// A name for a path that sorts by the path's index.
  private static func name(of place: Int) -> String {
    let digits = String(place)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
