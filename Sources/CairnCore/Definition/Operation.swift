/// An operation of a handler.
public enum Operation: Hashable, Sendable {
  case push(Contribution)
  /// The top of the stack.
  case replace(Contribution)
  /// The whole stack; `keep`: what is equal from the bottom stays.
  case set([Contribution], keep: Bool = false)
  case pop(count: Int)
  /// The instance nearest to the top.
  case popTo(screen: String)
  case popToRoot
  /// Brings the nearest instance of a screen or flow to the top of what is visible: dismiss, select, pop.
  case reveal(Contribution.Target)
  /// On a level it hangs on the root, whatever the anchor.
  case present(Contribution, style: PresentationStyle, on: Anchor, replace: Bool, level: Level? = nil)
  /// The nearest modal of this screen or flow that the flow has presented; nil: the one that is meant where it is said.
  case dismiss(String?)
  case tabs([Contribution])
  case split(master: [Contribution], detail: Contribution)
  case detail(Contribution)
  case select(Selection)
  /// Flux: ensure this child of a switch, then its root, or one screen on top; no-op when the screen on top has that name already.
  case show(flow: String, screen: Contribution?)
  /// Ends the flow and sends a step, to its parent if nothing else is said.
  case end(StepTemplate)
  /// Ends the flow with a result, and takes its node away.
  case give([String: Expression])
  /// To the parent if nothing else is said.
  case forward(StepTemplate)
  case write([String: Expression])
  case clear([String])
  /// The edits in their order: in a file that of their paths' names, by UTF-8.
  case content([ContentEdit], of: String?)
  /// Belongs to the emitting screen, or to the flow's own node, or to the nearest node of a screen or flow (`of`).
  case load(Load, on: Anchor, of: String? = nil)
  case after(Timer, on: Anchor)
  /// The timers of that name (nil: every timer and load) of the emitter and of what is below it.
  case cancel(name: String?)
  case remove(screen: String)
  /// The access token goes, and what hangs on it, as by the action.
  case logout
  /// Held links are let go.
  case cancelLinks
  case none

  /// The handling flow's own node, or the emitting screen: where `present` hangs a node, and whose a load or timer is.
  public enum Anchor: String, Hashable, Sendable, CaseIterable { case flow, screen }

  /// A place over the whole app, for one modal.
  public struct Level: Hashable, Sendable {
    /// 1 to 255; the higher one lies in front.
    public var number: Int
    /// Where the place is taken the modal waits for it.
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
  /// The nodes, steps, values and targets of the operation. Lint and graph only use these parts.
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
