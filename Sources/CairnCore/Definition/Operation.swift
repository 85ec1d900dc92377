/// An operation of a handler.
public enum Operation: Hashable, Sendable {
  case push(Contribution)
  /// Replaces the top of the stack.
  case replace(Contribution)
  /// Replaces the whole stack. `keep` keeps equal nodes at the bottom.
  case set([Contribution], keep: Bool = false)
  case pop(count: Int)
  /// Pops to the topmost instance.
  case popTo(screen: String)
  case popToRoot
  /// Makes the nearest instance of a screen or flow visible by dismissing, selecting and popping.
  case reveal(Contribution.Target)
  /// Presents a node. With a level it is presented on the root, whatever the anchor.
  case present(Contribution, style: PresentationStyle, on: Anchor, replace: Bool, level: Level? = nil)
  /// Dismisses the nearest modal of this screen or flow that the flow has presented. `nil` stands for the modal of the sender.
  case dismiss(String?)
  case tabs([Contribution])
  case split(master: [Contribution], detail: Contribution)
  case detail(Contribution)
  case select(Selection)
  /// Shows a child of a switch, then its root or one screen on top (Flux). Has no effect if the screen on top already has that name.
  case show(flow: String, screen: Contribution?)
  /// Ends the flow and sends a step, by default to its parent.
  case end(StepTemplate)
  /// Ends the flow with a result, and removes its node.
  case give([String: Expression])
  /// Sends the step on, by default to the parent.
  case forward(StepTemplate)
  case write([String: Expression])
  case clear([String])
  /// Edits content in order. Edits of a map are sorted by their paths' names in UTF-8.
  case content([ContentEdit], of: String?)
  /// Starts a load, which belongs to the emitting screen, to the flow's own node, or to the nearest node of a screen or flow (`of`).
  case load(Load, on: Anchor, of: String? = nil)
  case after(Timer, on: Anchor)
  /// Cancels the timers of this name, or all timers and loads for `nil`, of the emitting node and its descendants.
  case cancel(name: String?)
  case remove(screen: String)
  /// Removes the access token and everything that depends on it, like the action.
  case logout
  /// Drops the held links.
  case cancelLinks
  case none

  /// The handling flow's own node, or the emitting screen. It presents the node of `present`, and owns a load or timer.
  public enum Anchor: String, Hashable, Sendable, CaseIterable { case flow, screen }

  /// A place for one modal over the whole app.
  public struct Level: Hashable, Sendable {
    /// From 1 to 255. Higher levels are in front.
    public var number: Int
    /// Whether a modal waits if the level is occupied.
    public var queue: Bool

    public init(_ number: Int, queue: Bool = false) {
      self.number = number
      self.queue = queue
    }
  }

  public enum Selection: Hashable, Sendable {
    case index(Expression)
    case flow(String)
  }
}

extension Operation {
  /// The nodes, steps, values and targets of the operation. Lint and graph use only these parts.
  public var parts: OperationParts {
    switch self {
    case .push(let contribution): OperationParts(makes: [Arrival(contribution, .pushed)])
    case .replace(let contribution): OperationParts(makes: [Arrival(contribution, .replacing)], removals: [.nodes])
    case .set(let contributions, _): OperationParts(makes: contributions.map { Arrival($0, .stacked) }, removals: [.nodes])
    case .pop, .popToRoot: OperationParts(removals: [.nodes])
    case .popTo(let screen): OperationParts(goals: [.back(screen: screen)], removals: [.nodes])
    case .reveal(.screen(let screen)): OperationParts(goals: [.front(screen: screen)], removals: [.covers])
    case .reveal(.flow(let flow)): OperationParts(goals: [.frontFlow(flow)], removals: [.covers])
    case .present(let contribution, let style, let anchor, let replace, let level):
      OperationParts(
        makes: [Arrival(contribution, level.map { .raised(style, level: $0.number) } ?? .presented(style, on: anchor))],
        removals: replace ? [.covers] : [])
    case .dismiss(let name): OperationParts(goals: name.map { [.closed(name: $0)] } ?? [], removals: [.modal])
    case .tabs(let contributions): OperationParts(makes: contributions.map { Arrival($0, .tab) }, removals: [.nodes])
    case .split(let master, let detail):
      OperationParts(makes: master.map { Arrival($0, .master) } + [Arrival(detail, .detail)], removals: [.nodes])
    case .detail(let contribution): OperationParts(makes: [Arrival(contribution, .detail)], removals: [.nodes])
    case .select(.index(let index)): OperationParts(reads: [index])
    case .select(.flow(let flow)): OperationParts(goals: [.tab(flow: flow)])
    case .show(let flow, let screen):
      OperationParts(
        makes: [Arrival(Contribution(.flow(flow)), .child)] + (screen.map { [Arrival($0, .onChild(flow: flow))] } ?? []),
        removals: [.nodes])
    case .end(let template): OperationParts(sends: [.init(template, to: template.to ?? .parent)], removals: [.flow])
    case .give(let values): OperationParts(reads: values.sorted { $0.key < $1.key }.map { $0.value }, removals: [.flow])
    case .forward(let template): OperationParts(sends: [.init(template, to: template.to ?? .parent)])
    case .write(let values): OperationParts(reads: values.sorted { $0.key < $1.key }.map { $0.value }, writes: values.keys.sorted())
    case .clear(let facts): OperationParts(writes: facts)
    case .content(let edits, _): OperationParts(reads: edits.flatMap { $0.expressions })
    case .load(let load, _, _): OperationParts(loads: [load])
    case .after(let timer, _): OperationParts(timers: [timer])
    case .remove(let screen): OperationParts(goals: [.removed(screen: screen)], removals: [.nodes])
    case .logout: OperationParts(writes: [FactDefinition.accessToken])
    case .cancel, .cancelLinks, .none: OperationParts()
    }
  }
}
