/// The reaction of a `tabs` flow to gestures that its tabs do not handle.
public struct TabsManner: Hashable, Sendable {
  /// The reaction to a tap on the selected tab.
  public var reselect: Reselect
  /// The reaction to a back if there is nothing to pop or dismiss.
  public var back: Back

  public enum Reselect: Hashable, Sendable {
    case nothing
    /// Pops the tab's outermost stack that has something to pop to its root.
    case popToRoot
    /// Sends this step to the flow.
    case send(StepTemplate)
  }

  public enum Back: String, Hashable, Sendable, CaseIterable {
    case nothing = "none"
    /// Selects the first tab, unless it is selected already.
    case first
  }

  public init(reselect: Reselect = .nothing, back: Back = .nothing) {
    self.reselect = reselect
    self.back = back
  }
}

extension TabsManner.Reselect {
  /// The step to send; `nil` if there is none.
  public var step: StepTemplate? { if case .send(let step) = self { step } else { nil } }
}
