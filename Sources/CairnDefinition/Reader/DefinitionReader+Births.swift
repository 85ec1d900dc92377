import CairnCore

extension DefinitionReader {
  /// A flow that is born with itself would never be whole.
  mutating func checkBirths(of flows: [String: FlowDefinition]) {
    var settled: Set<String> = []
    for name in flows.keys.sorted() { visit(name, way: [], flows, &settled) }
  }

  private mutating func visit(_ name: String, way: [String], _ flows: [String: FlowDefinition], _ settled: inout Set<String>) {
    if let start = way.firstIndex(of: name) {
      let circle = way[start...] + [name]
      let position = names.flow(name)?.fields.position ?? Position(line: 1, column: 1)
      return report(
        "\(name) is born with itself (\(circle.joined(separator: " → "))); push or present it from a handler", at: position)
    }
    guard settled.insert(name).inserted || way.contains(name), let flow = flows[name] else { return }
    for child in flow.birth.flows { visit(child, way: way + [name], flows, &settled) }
  }
}

extension FlowDefinition.Birth {
  /// The flows that are made with it.
  fileprivate var flows: [String] {
    let contributions: [Contribution] =
      switch self {
      case .empty: []
      case .root(let root): [root]
      case .tabs(let tabs): tabs
      case .split(let master, let detail): master + [detail]
      }
    return contributions.compactMap { if case .flow(let name) = $0.target { name } else { nil } }
  }
}
