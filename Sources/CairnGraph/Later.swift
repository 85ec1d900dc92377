import CairnCore

/// A step that a node sends later, of itself.
struct Later {
  /// When: `after`, `left`, `leave`, `loaded`, `failed`, `then`, `else`.
  var word: String
  var step: StepTemplate
  /// The flow that the node is; nil: it is a screen.
  var flow: String?

  /// Whether it is sent instead of a gesture.
  var isAsked: Bool { word == "leave" }

  /// Whether it counts as said by the screen itself: the step of a screen that is asked before it goes.
  var isSaidByScreen: Bool { isAsked && flow == nil }
}

extension Contribution {
  /// The steps that it sends later.
  var later: [Later] {
    let asked = [left.map { ("left", $0) }, leave?.step.map { ("leave", $0) }]
    let loads = [load?.then.map { ("loaded", $0) }, load?.otherwise.map { ("failed", $0) }]
    let results = [then.map { ("then", $0) }, otherwise.map { ("else", $0) }]
    return after.map { Later(word: "after", step: $0.step, flow: flow) }
      + (asked + loads + results).compactMap { $0.map { Later(word: $0.0, step: $0.1, flow: flow) } }
  }
}
