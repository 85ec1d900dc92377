// Finds the flow whose facts or params an expression or a condition reads.
extension Evaluator {
  /// The value of a fact of the scope's flow, or of the nearest flow around it that has the fact; `nil` if it is missing.
  func flowFact(_ name: String, in scope: Scope, _ state: State) -> Value? {
    flow(withFact: name, in: scope, state)?.details?.facts[name]
  }

  /// The scope's flow, or the nearest flow around it, that has the fact; `nil` if there is none. Also searches flows that the action has destroyed.
  func flow(withFact name: String, in scope: Scope, _ state: State) -> Emitter? {
    var next = scope.flow
    while let id = next, let flow = node(id, state) {
      if program.flow(of: flow.record)?.facts.contains(exactly: name) == true { return flow }
      next = flow.record.ownerID
    }
    return nil
  }

  /// A node as it is or, if the action has destroyed it, in its last state; `nil` if the node never existed.
  func node(_ id: NodeID, _ state: State) -> Emitter? { Emitter(of: id, in: state) ?? departed[id] }
}
