import CairnCore

/// A step that a node sends some time after its creation, without an action of the user.
struct Later {
  /// The cause: `timer`, `removed`, `seen`, `unseen`, `guard`, `loaded`, `failed`, `then` or `else`.
  var word: String
  var step: StepTemplate
  /// The name of the flow if the node is a flow; `nil` if it is a screen.
  var flow: String?

  /// Whether the step is sent instead of a gesture or a link that the node's guard stops.
  var isAsked: Bool { word == "guard" }

  /// Whether the drawing treats the step as sent by the screen itself. This applies to the `guard` step of a guarded screen.
  var isSaidByScreen: Bool { isAsked && flow == nil }
}

extension Definition {
  /// The steps that a node sends some time after its creation, including the steps that its screen declares.
  func later(of contribution: Contribution) -> [Later] {
    var contribution = contribution
    contribution.steps = steps(of: contribution)
    return contribution.later
  }
}

extension Contribution {
  /// The steps that the contribution itself declares for some time after the node's creation.
  fileprivate var later: [Later] {
    let asked = [
      steps.removed.map { ("removed", $0) }, steps.seen.map { ("seen", $0) }, steps.unseen.map { ("unseen", $0) },
      leave?.ask.map { ("guard", $0) },
    ]
    let loads = [load?.then.map { ("loaded", $0) }, load?.otherwise.map { ("failed", $0) }]
    let results = [then.map { ("then", $0) }, otherwise.map { ("else", $0) }]
    return after.map { Later(word: "timer", step: $0.step, flow: flow) }
      + (asked + loads + results).compactMap { $0.map { Later(word: $0.0, step: $0.1, flow: flow) } }
  }
}
