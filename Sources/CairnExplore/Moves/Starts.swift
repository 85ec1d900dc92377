import CairnCore
import CairnDefinition

extension Start {
  /// The starts to try: with and without a token, and with each value of certain facts. These are the facts that a condition reads, and
  /// that the app never writes or clients may set. The given parts of the start are used unchanged. `isWhole` becomes false if there are
  /// too many starts to try the values of a further fact, and no client can set this fact later.
  static func all(
    of definition: Definition, _ palette: Palette, _ relevance: Relevance, _ claims: [Claim], given: Start, isWhole: inout Bool
  )
    -> [Start]
  {
    let read = (definition.guards + claims.flatMap(\.guards)).reduce(into: Set<String>()) { $0.formUnion($1.facts) }
    let written = Set(definition.operations.flatMap(\.parts.writes))
    var starts = [given]
    for (name, fact) in definition.facts.sortedByKey where read.contains(name) {
      // Clients may set their facts at creation too. The facts of the app's state are only written by actions.
      guard fact.isClients || !written.contains(name), FactDefinition.ofApp[name] == nil else { continue }
      let variable = fact.environment
      guard given.facts[name] == nil, variable.map({ given.environment[$0] == nil }) ?? true else { continue }
      guard starts.count <= 16 else {
        isWhole = isWhole && fact.isClients
        continue
      }
      let values = palette.values(of: fact.type, named: name).compactMap(\.self).filter { $0 != fact.type.defaultValue }
      // Values that no condition names are equivalent, so one of them is sufficient.
      let worth = values.filter { !palette.fresh.contains($0) } + values.filter(palette.fresh.contains).prefix(1)
      starts += starts.flatMap { start in
        worth.map { value in
          var other = start
          if let variable { other.environment[variable] = value.shortText } else { other.facts[name] = value }
          return other
        }
      }
    }
    guard given.accessToken == nil, relevance.facts.contains(FactDefinition.accessToken) else { return starts }
    return starts + starts.map { Start(accessToken: "t", facts: $0.facts, environment: $0.environment) }
  }
}
