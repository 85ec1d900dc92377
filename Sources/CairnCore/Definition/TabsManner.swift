/// The reaction of a `tabs` flow to gestures that its tabs do not handle.
public struct TabsManner: Hashable, Sendable {
  /// A tap on the tab that is selected already.
  public var reselect: Reselect
  /// A `back` with nothing to pop or dismiss.
  public var back: Back

  public enum Reselect: Hashable, Sendable {
    case nothing
    /// The tab's outermost stack that has something to pop is popped to its root.
    case popToRoot
    /// This step is sent to the flow.
    case send(StepTemplate)
  }

  public enum Back: String, Hashable, Sendable, CaseIterable {
    case nothing = "none"
    /// In another tab than the first, the first is selected.
    case first
  }

  public init(reselect: Reselect = .nothing, back: Back = .nothing) {
    self.reselect = reselect
    self.back = back
  }
}

extension TabsManner.Reselect {
  /// The step that is sent; nil: none.
  public var step: StepTemplate? { if case .send(let step) = self { step } else { nil } }
}
