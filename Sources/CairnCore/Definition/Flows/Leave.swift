/// The guard of a node against gestures that would remove it (UIKit's `isModalInPresentation`, Android's predictive back). The guard is evaluated
/// before the gesture, whereas the step `removed` is sent after the removal.
public struct Leave: Hashable, Sendable {
  /// The condition under which the guard asks; `nil` if it always asks. The condition is evaluated when the node would be removed. It reads
  /// facts, and the content and params of the guarded node.
  public var when: Guard?
  /// The step that is sent instead of the gesture; `nil` if the gesture is refused.
  public var ask: StepTemplate?
  /// Whether the guard also asks before a client selects another tab, which hides the node.
  public var asksBeforeTabs: Bool

  public init(when: Guard? = nil, ask: StepTemplate?, asksBeforeTabs: Bool = false) {
    self.when = when
    self.ask = ask
    self.asksBeforeTabs = asksBeforeTabs
  }

  /// The guard that refuses every gesture.
  public static let refuse = Leave(ask: nil)
}

extension Definition {
  /// Whether any node that the definition creates has a guard.
  var hasLeave: Bool { flows.values.contains { flow in flow.makes.contains { $0.contribution.leave != nil } } }

  /// The steps that answer the questions of guards. The handler of a guard's step opens a screen, such as a dialog; the answers are the
  /// steps that this screen may emit.
  var answersToGuards: Set<String> {
    var asked: Set<String> = []
    for flow in flows.values {
      for arrival in flow.makes {
        if let step = arrival.contribution.leave?.ask?.step { asked.insert(step) }
      }
    }
    var answers: Set<String> = []
    for flow in flows.values {
      for step in asked {
        for arrival in flow.handle[step]?.makes ?? [] {
          if let screen = arrival.contribution.screen { answers.formUnion(screens[screen]?.emits ?? []) }
        }
      }
    }
    return answers
  }
}
