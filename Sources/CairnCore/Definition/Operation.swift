/// What a handler can name.
public enum Operation: Hashable, Sendable {
  case push(Contribution)
  /// The top of the stack.
  case replace(Contribution)
  /// The whole stack.
  case set([Contribution])
  case pop(count: Int)
  /// The instance nearest to the top.
  case popTo(screen: String)
  case popToRoot
  /// Brings the nearest instance of a screen to the top of what is visible: dismiss, select, pop.
  case reveal(screen: String)
  case present(Contribution, style: PresentationStyle, on: Anchor, replace: Bool)
  case dismiss
  case tabs([Contribution])
  case split(master: [Contribution], detail: Contribution)
  case detail(Contribution)
  case select(Selection)
  /// Flux: ensure this child of a switch, then its root, or one screen on top; no-op when the screen on top has that name already.
  case show(flow: String, screen: Contribution?)
  /// Ends the flow and sends a step to its parent.
  case end(StepTemplate)
  case forward(StepTemplate, to: Destination)
  case write([String: Expression])
  case clear([String])
  case content([ContentEdit], of: String?)
  /// Belongs to the emitting screen, or to the flow's own node.
  case load(Load, on: Anchor)
  case after(Timer, on: Anchor)
  /// The timers of that name (nil: every timer and load) of the emitter and of what is below it.
  case cancel(name: String?)
  case remove(screen: String)
  case none

  /// The handling flow's own node, or the emitting screen: where `present` hangs a node, and whose a load or timer is.
  public enum Anchor: String, Hashable, Sendable, CaseIterable { case flow, screen }

  public enum Destination: String, Hashable, Sendable, CaseIterable { case parent, current }

  public enum Selection: Hashable, Sendable {
    case index(Expression)
    case flow(String)
  }
}
