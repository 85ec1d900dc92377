/// The reaction of a `tabs` flow to gestures that its tabs do not handle.
public struct TabsManner: Hashable, Sendable {
  /// The reaction to a tap on the selected tab.
  public var reselect: Reselect
  /// The reaction to `back` when nothing can be popped or dismissed.
  public var back: Back
  /// The gates of tabs, sorted by the names of the tabs.
  public var gates: [TabGate]

  public enum Reselect: Hashable, Sendable {
    case nothing
    /// Pops the outermost stack of the tab that can be popped, down to its root.
    case popToRoot
    /// Sends this step to the flow with the tabs.
    case send(StepTemplate)
  }

  public enum Back: String, Hashable, Sendable, CaseIterable {
    case nothing = "none"
    /// Selects the first tab if another one is selected.
    case first
    /// Selects the tab before the selected one.
    case order
    /// Selects the tabs that the user has left, each once, the tab left last first. After them, selects the first tab.
    case history
  }

  public init(reselect: Reselect = .nothing, back: Back = .nothing, gates: [TabGate] = []) {
    self.reselect = reselect
    self.back = back
    self.gates = gates
  }
}

/// The condition under which a tab can be selected. It is evaluated only at the selection, so it does not protect the content of the tab.
public struct TabGate: Hashable, Sendable {
  /// The name of the tab's screen or flow.
  public var tab: String
  /// The condition under which the tab can be selected. It reads facts, including those of the flow with the tabs.
  public var requires: Guard
  /// The step that is sent to the flow with the tabs if the condition is false; `nil` if none is sent. In both cases, the selection waits.
  public var otherwise: StepTemplate?

  public init(_ tab: String, requires: Guard, otherwise: StepTemplate? = nil) {
    self.tab = tab
    self.requires = requires
    self.otherwise = otherwise
  }
}

extension TabsManner {
  /// The gate of a tab; `nil` if the tab has none.
  public func gate(of tab: String) -> TabGate? { gates.first { $0.tab.isExactly(tab) } }

  /// The steps that the tabs send.
  public var templates: [StepTemplate] {
    [reselect.step].compactMap { $0 } + gates.compactMap { $0.otherwise }
  }
}

extension TabsManner.Reselect {
  /// The step of `send`; `nil` for the other reactions.
  public var step: StepTemplate? { if case .send(let step) = self { step } else { nil } }
}
