import CairnCore

/// Finds the flows whose creation would never end.
struct CreationCycles: PartReader {
  let context: ReaderContext

  /// Reports flows that contain themselves among their initial nodes, directly or through other flows. The creation of such a flow would never
  /// end. The search is not recursive, because a chain of flows can be as long as the file.
  func report(in flows: [String: FlowDefinition]) {
    var settled: Set<String> = []
    for name in flows.keys.sorted() where settled.insert(name).inserted {
      // The path from the first flow to the current one. `left` contains the flows that remain to be visited.
      var way = [(name: name, left: flows[name]?.initialChildren.flows ?? [])]
      var places = [name: 0]
      while !way.isEmpty {
        guard let child = way[way.count - 1].left.popLast() else {
          places[way.removeLast().name] = nil
          continue
        }
        if let place = places[child] {
          report(circle: way[place...].map(\.name) + [child])
        } else if let flow = flows[child], settled.insert(child).inserted {
          places[child] = way.count
          way.append((child, flow.initialChildren.flows))
        }
      }
    }
  }

  private func report(circle: [String]) {
    guard let name = circle.last else { return }
    let shown = circle.count <= 12 ? circle : circle.prefix(10) + ["…", name]
    let position = names.flow(name)?.fields.position ?? Position(line: 1, column: 1)
    report(
      "the creation of `\(name)` never ends, because it creates itself (\(shown.joined(separator: " → "))); push or present it from a handler",
      at: position)
  }
}

extension FlowDefinition.InitialChildren {
  /// The flows among the initial nodes, in reverse order.
  fileprivate var flows: [String] {
    let contributions: [Contribution] =
      switch self {
      case .empty: []
      case .root(let root): [root]
      case .tabs(let tabs): tabs
      case .split(let master, let detail): master + [detail]
      }
    return contributions.compactMap(\.flow).reversed()
  }
}
