// Steps that are sent from somewhere to somewhere else.
extension Run {
  /// Has a step follow this turn. `speaker`: the flow that speaks; `receiver`: who gets it where nothing else is said.
  mutating func send(
    _ mold: StepMold, as kind: Turns.FollowUp, by speaker: NodeID?, emitter: Emitter?, otherwise receiver: NodeID, scope: Scope
  ) throws(Refusal) {
    turns.follow(kind, Turns.Item(intent: try step(from: mold, in: scope), receiver: .flow(receiver), emitter: emitter))
  }
}
