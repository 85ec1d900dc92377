/// A node to create, and the receiver of its steps (RxFlow's FlowContributor, as data).
public struct Contribution: Hashable, Sendable {
  public var target: Target
  public var with: [String: Expression]
  /// The start steps of a flow, in order (with several, RxFlow's CompositeStepper).
  public var start: [StepTemplate]
  public var listen: Listen
  /// Starts when the node is created. The node owns it.
  public var load: Load?
  public var after: [Timer]
  /// Sent when the node is popped or dismissed.
  public var left: StepTemplate?
  /// The reaction to a gesture that would remove the node; `nil` if nothing is asked.
  public var leave: Leave?
  /// The initial content value of the node.
  public var content: Expression?
  /// The step that the creator of the node receives when the flow returns its result, as `$result`.
  public var then: StepTemplate?
  /// The step that the creator receives if the node is removed without a result.
  public var otherwise: StepTemplate?

  public enum Target: Hashable, Sendable {
    case screen(String)
    case flow(String)
  }

  public init(
    _ target: Target, with: [String: Expression] = [:], start: [StepTemplate] = [], listen: Listen = .init(),
    load: Load? = nil, after: [Timer] = [], left: StepTemplate? = nil, leave: Leave? = nil, content: Expression? = nil,
    then: StepTemplate? = nil, otherwise: StepTemplate? = nil
  ) {
    self.target = target
    self.with = with
    self.start = start
    self.listen = listen
    self.load = load
    self.after = after
    self.left = left
    self.leave = leave
    self.content = content
    self.then = then
    self.otherwise = otherwise
  }
}

extension Contribution {
  /// The name of the screen; `nil` if the node is a flow.
  public var screen: String? { if case .screen(let name) = target { name } else { nil } }

  /// The name of the flow; `nil` if the node is a screen.
  public var flow: String? { if case .flow(let name) = target { name } else { nil } }

  /// All steps that the contribution may send.
  public var templates: [StepTemplate] {
    start + after.map { $0.step } + [left, leave?.step, then, otherwise].compactMap { $0 } + (load?.templates ?? [])
  }

  /// The expressions that the contribution evaluates, except those of its steps' params.
  public var expressions: [Expression] {
    Array(with.values) + [content].compactMap { $0 } + (load?.expressions ?? [])
  }
}
