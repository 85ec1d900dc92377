/// A node to be created, with everything that belongs to it (RxFlow's FlowContributor, as data).
public struct Contribution: Hashable, Sendable {
  public var target: Target
  public var with: [String: Expression]
  /// The first values of a new flow's facts, which replace the defaults.
  public var facts: [String: Expression]
  /// The start steps of a flow, in order (several: RxFlow's CompositeStepper).
  public var start: [StepTemplate]
  public var listen: Listen
  /// The load that starts when the node is created, and that belongs to it.
  public var load: Load?
  public var after: [Timer]
  /// The steps that the node itself sends.
  public var steps: NodeSteps
  /// The guard that runs before a gesture dismisses the node; `nil` if there is none.
  public var leave: Leave?
  /// Whether the modal is sealed: an action of a user who has not seen the modal cannot reach the nodes below it.
  public var isSealed = false
  /// The initial content value.
  public var content: Expression?
  /// The step sent with `$result` when the flow ends with a result.
  public var then: StepTemplate?
  /// The step sent if the node is removed without a result.
  public var otherwise: StepTemplate?

  public enum Target: Hashable, Sendable {
    case screen(String)
    case flow(String)

    /// The name of the screen or flow.
    public var name: String {
      switch self {
      case .screen(let name), .flow(let name): name
      }
    }
  }

  public init(
    _ target: Target, with: [String: Expression] = [:], facts: [String: Expression] = [:], start: [StepTemplate] = [],
    listen: Listen = .init(), load: Load? = nil, after: [Timer] = [], steps: NodeSteps = .init(), leave: Leave? = nil,
    content: Expression? = nil,
    then: StepTemplate? = nil, otherwise: StepTemplate? = nil
  ) {
    self.target = target
    self.with = with
    self.facts = facts
    self.start = start
    self.listen = listen
    self.load = load
    self.after = after
    self.steps = steps
    self.leave = leave
    self.content = content
    self.then = then
    self.otherwise = otherwise
  }
}

extension Contribution {
  /// The screen; `nil` if the contribution is a flow.
  public var screen: String? { if case .screen(let name) = target { name } else { nil } }

  /// The flow; `nil` if the contribution is a screen.
  public var flow: String? { if case .flow(let name) = target { name } else { nil } }

  /// All steps that the node may send.
  public var templates: [StepTemplate] {
    start + after.map { $0.step } + steps.all + [leave?.ask, then, otherwise].compactMap { $0 } + (load?.templates ?? [])
  }

  /// The expressions that the contribution evaluates, except the params of its steps.
  public var expressions: [Expression] {
    Array(with.values) + Array(facts.values) + [content].compactMap { $0 } + (load?.expressions ?? []) + after.compactMap { $0.value }
  }
}
