/// The reaction of a `tabs` flow to gestures that its tabs do not handle.
public struct TabsManner: Hashable, Sendable {
  /// The reaction to a tap on the selected tab.
  public var reselect: Reselect
  /// The reaction to `back` when nothing can be popped or dismissed.
  public var back: Back

  public enum Reselect: Hashable, Sendable {
    case nothing
    /// Pops the outermost stack of the tab that can be popped, down to its root.
    case popToRoot
    /// Sends this step to the flow.
    case send(StepTemplate)
  }

  public enum Back: String, Hashable, Sendable, CaseIterable {
    case nothing = "none"
    /// Selects the first tab if another one is selected.
    case first
  }

  public init(reselect: Reselect = .nothing, back: Back = .nothing) {
    self.reselect = reselect
    self.back = back
  }
}

extension TabsManner.Reselect {
  /// The step that is sent; `nil` if none is.
  public var step: StepTemplate? { if case .send(let step) = self { step } else { nil } }
}
