// Finds the steps that screens may emit because the flows around them allow it.
extension Program {
  /// The steps that a leaf may emit in addition to its own contract: those of its flow and of all parent flows.
  func sharedSteps(of leaf: NodeRecord, in state: State) -> StepSet {
    var steps = StepSet([])
    guard hasSharedSteps else { return steps }
    var next = leaf.handlingFlow
    while let id = next, let record = state.nodes.record(id) {
      if let flow = flow(of: record) { steps.formUnion(flow.emits) }
      next = record.ownerID
    }
    return steps
  }

  /// Whether the flows around a leaf allow it to emit a step.
  func isSharedStep(_ number: Int, of leaf: NodeRecord, in state: State) -> Bool {
    hasSharedSteps && sharedSteps(of: leaf, in: state).contains(number)
  }

  /// Whether only `appState` actions write the fact.
  func isOfApp(_ fact: String) -> Bool { tellsAppState && FactDefinition.ofApp[fact] != nil }
}
