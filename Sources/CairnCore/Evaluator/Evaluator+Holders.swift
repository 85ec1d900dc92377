// Finds the node whose content an expression reads by the node's name.
extension Evaluator {
  /// The nearest node of a screen or, if no screen has this name, of a flow; `nil` if there is none.
  func holder(named name: String, in scope: Scope, _ state: State) -> NodeID? {
    program.definition.screens.contains(exactly: name) ? NodeSearch.nearest(state, name) : state.nearestFlow(name, to: scope.emitter)
  }

  /// The content that a condition reads: that of the nearest node with this name, or the sender's if `name` is `nil`.
  func content(of name: String?, in scope: Scope, _ state: State) -> Content? {
    guard let name else { return content(of: scope.emitter, state) }
    return holder(named: name, in: scope, state).flatMap { state.nodes.details(of: $0).content }
  }
}

extension State {
  /// The nearest flow of that name; `nil` if there is none. Searches the flow that handles the steps of the sender or of the visible screen, and
  /// its parent flows from the inside out. Then searches the path to the front, and finally the whole tree.
  func nearestFlow(_ name: String, to speaker: Emitter?) -> NodeID? {
    guard let number = nodes.names.number(name) else { return nil }
    func isMeant(_ id: NodeID) -> Bool { nodes.record(id).map { $0.flow == number && stands($0) } ?? false }
    let end = visibleEnd
    var next = speaker?.record.handlingFlow ?? end?.handlingFlow
    while let id = next {
      if isMeant(id) { return id }
      next = nodes.record(id)?.ownerID
    }
    return ancestors(of: end?.nodeID ?? root, acrossModals: true).first(where: isMeant) ?? subtree(of: root).first(where: isMeant)
  }
}
