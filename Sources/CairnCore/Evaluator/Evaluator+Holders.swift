// Whose content is meant by a name.
extension Evaluator {
  /// The nearest node of a screen, or where no screen has the name of a flow; nil: there is none.
  func holder(named name: String, in scope: Scope, _ state: State) -> NodeID? {
    program.definition.screens.value(exactly: name) == nil ? state.nearestFlow(name, to: scope.emitter) : NodeSearch.nearest(state, name)
  }

  /// The content that a condition reads: the sender's, or that of the nearest node of a name.
  func content(of name: String?, in scope: Scope, _ state: State) -> Content? {
    guard let name else { return content(of: scope.emitter, state) }
    return holder(named: name, in: scope, state).flatMap { state.nodes.details(of: $0).content }
  }
}

extension State {
  /// The nearest flow of a name. Looks at the flow that handles the sender's steps, or the visible screen's, and its makers outwards; then
  /// along the path to the front; then anywhere from the root. `nil` if there is none.
  func nearestFlow(_ name: String, to speaker: Emitter?) -> NodeID? {
    guard let number = nodes.names.number(name) else { return nil }
    func isMeant(_ id: NodeID) -> Bool { nodes.record(id).map { $0.flow == number && stands($0) } ?? false }
    let end = visibleEnd
    var next = speaker?.record.hearer ?? end?.hearer
    while let id = next {
      if isMeant(id) { return id }
      next = nodes.record(id)?.ownerID
    }
    return ancestors(of: end?.nodeID ?? root, acrossModals: true).first(where: isMeant) ?? subtree(of: root).first(where: isMeant)
  }
}
