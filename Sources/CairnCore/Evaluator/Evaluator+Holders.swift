// Finds the node whose content a name refers to.
extension Evaluator {
  /// The nearest node of a screen, or of a flow if no screen has this name; `nil` if there is none.
  func holder(named name: String, in scope: Scope, _ state: State) -> NodeID? {
    program.definition.screens.value(exactly: name) == nil ? state.nearestFlow(name, to: scope.emitter) : NodeSearch.nearest(state, name)
  }

  /// The content that a condition uses: the sender's, or that of the nearest node with a name.
  func content(of name: String?, in scope: Scope, _ state: State) -> Content? {
    guard let name else { return content(of: scope.emitter, state) }
    return holder(named: name, in: scope, state).flatMap { state.nodes.details(of: $0).content }
  }
}

extension State {
  /// The nearest flow of a name. Searches the flow that handles the sender's steps, or the visible screen's, and its ancestors; then the path to the
  /// front node; then the whole tree from the root. `nil` if there is none.
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
