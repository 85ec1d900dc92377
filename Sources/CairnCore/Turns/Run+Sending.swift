// Where a step goes that something sends: a stand-in until destinations are there.
extension Run {
  /// Sends a step at the end of this turn; one that cannot be made is dropped.
  mutating func send(
    _ mold: StepMold, as kind: Turns.FollowUp, by speaker: NodeID?, emitter: Emitter?, otherwise receiver: NodeID, scope: Scope
  ) throws(Refusal) {
    let intent = try step(from: mold, in: scope)
    turns.follow(kind, Turns.Item(intent: intent, receiver: .flow(receiver), emitter: emitter))
  }
}
