// Finds the flow whose facts or params an expression or a condition reads.
extension Evaluator {
  /// The value of a fact of the scope's flow, or of the nearest flow around it that has the fact; `nil` if it is missing.
  func flowFact(_ name: String, in scope: Scope, _ state: State) -> Value? {
    var next = scope.flow
    while let id = next, let flow = node(id, state) {
      if hasFact(name, flow.record) { return flow.details?.facts[name] }
      next = flow.record.ownerID
    }
    return nil
  }

  /// The flow to which a write of the fact goes: the nearest one that has it. `nil` if that has left the tree.
  func owner(ofFact name: String, in scope: Scope, _ state: State) -> NodeRecord? {
    var next = scope.flow
    while let id = next, let flow = node(id, state) {
      if hasFact(name, flow.record) { return state.nodes.record(id) }
      next = flow.record.ownerID
    }
    return nil
  }

  private func hasFact(_ name: String, _ flow: NodeRecord) -> Bool {
    program.flow(of: flow)?.facts.contains(exactly: name) ?? false
  }

  /// A node as it is or, if the action has destroyed it, as it was last; `nil` if there is none.
  func node(_ id: NodeID, _ state: State) -> Emitter? { Emitter(of: id, in: state) ?? departed[id] }
}
