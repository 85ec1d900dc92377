import CairnCore

/// Finds stored properties that a test of all fields does not set.
enum FieldWalk {
  /// The paths of the stored properties of a state, its parts and its nodes that still have their initial value. Uses reflection, so that a property that is
  /// added later is included.
  static func unset(in state: State) -> [String] {
    let plain = Node(id: NodeID(1), kind: .screen, name: "", owner: nil, parent: nil)
    let nodes = state.nodes.values.map { Set(same($0, plain, "node")) }
    // No node can have all properties, so a property is reported only if no node has set it.
    let unsetInAll = nodes.dropFirst().reduce(nodes.first ?? []) { $0.intersection($1) }
    return (same(state, State(), "state") + unsetInAll).sorted()
  }

  /// The table is compared by its nodes. The weight is no part of the state's value.
  private static let left: Set<String> = ["state.nodes", "state.weight"]

  private static func same(_ one: Any, _ other: Any, _ path: String) -> [String] {
    guard !left.contains(path) else { return [] }
    let (mirror, plain) = (Mirror(reflecting: one), Mirror(reflecting: other))
    guard mirror.displayStyle == .struct, !mirror.children.isEmpty else { return "\(one)" == "\(other)" ? [path] : [] }
    return zip(mirror.children, plain.children).flatMap { same($0.value, $1.value, "\(path).\($0.label ?? "")") }
  }
}
