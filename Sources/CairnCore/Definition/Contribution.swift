/// A node to be made, and the receiver of its steps (RxFlow's FlowContributor, as data).
public struct Contribution: Hashable, Sendable {
  public var target: Target
  public var with: [String: Expression]
  /// A flow's start steps, in order (several: RxFlow's CompositeStepper).
  public var start: [StepTemplate]
  public var listen: Listen
  /// Starts when the node is made, and belongs to it.
  public var load: Load?
  public var after: [Timer]
  /// Sent when the node is popped or dismissed.
  public var left: StepTemplate?
  /// Asked before a gesture takes the node away; nil: it may go.
  public var leave: Leave?
  /// The content value that the node starts with.
  public var content: Expression?
  /// Sent to the node's maker when the flow gives its result, with `$result`.
  public var then: StepTemplate?
  /// Sent instead when the node goes without.
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
  /// The screen that it is; nil: it is a flow.
  public var screen: String? { if case .screen(let name) = target { name } else { nil } }

  /// The flow that it is; nil: it is a screen.
  public var flow: String? { if case .flow(let name) = target { name } else { nil } }

  /// Every step that is sent because of it.
  public var templates: [StepTemplate] {
    start + after.map { $0.step } + [left, leave?.step, then, otherwise].compactMap { $0 } + (load?.templates ?? [])
  }

  /// The expressions that it evaluates, beside the params of its steps.
  public var expressions: [Expression] {
    Array(with.values) + [content].compactMap { $0 } + (load?.expressions ?? [])
  }
}
