/// The nodes, steps, values and targets of an operation, for tools that read a definition without running it.
public struct OperationParts: Hashable, Sendable {
  /// The nodes that it makes, in order.
  public var makes: [Arrival]
  /// The steps that it sends at once; the steps of its nodes, loads and timers are listed with these.
  public var sends: [Sending]
  /// The expressions that it evaluates, beside the params of its nodes, steps and effects.
  public var reads: [Expression]
  /// The facts that it writes or sets back.
  public var writes: [String]
  public var goals: [Goal]
  public var loads: [Load]
  public var timers: [Timer]
  public var removals: Set<Removal>

  /// A step and who gets it.
  public struct Sending: Hashable, Sendable {
    public var template: StepTemplate
    public var to: Operation.Destination

    public init(_ template: StepTemplate, to destination: Operation.Destination) {
      self.template = template
      to = destination
    }
  }

  /// A node that has to be there.
  public enum Goal: Hashable, Sendable {
    /// A screen that comes to the front, wherever it is.
    case front(screen: String)
    /// A flow that comes to the front, wherever it is.
    case frontFlow(String)
    /// A screen on the stack that is gone back to.
    case back(screen: String)
    /// A screen on the stack that is taken out.
    case removed(screen: String)
    /// A flow that is a tab.
    case tab(flow: String)
    /// A screen or flow that is presented and goes.
    case closed(name: String)
  }

  /// The nodes that an operation may remove.
  public enum Removal: Hashable, Sendable {
    /// The modal that the flow, or its emitting screen, presents.
    case modal
    /// Whatever lies over something else.
    case covers
    /// Nodes of a container.
    case nodes
    /// The flow itself.
    case flow
  }

  public init(
    makes: [Arrival] = [], sends: [Sending] = [], reads: [Expression] = [], writes: [String] = [], goals: [Goal] = [],
    loads: [Load] = [], timers: [Timer] = [], removals: Set<Removal> = []
  ) {
    self.makes = makes
    self.sends = sends
    self.reads = reads
    self.writes = writes
    self.goals = goals
    self.loads = loads
    self.timers = timers
    self.removals = removals
  }
}

extension OperationParts {
  /// Every step that it may send, now or later; those of the nodes that it makes too.
  public var templates: [StepTemplate] {
    sends.map { $0.template } + makes.flatMap { $0.contribution.templates } + loads.flatMap { $0.templates } + timers.map { $0.step }
  }

  /// Everything that is worked out for it, beside the params of its steps.
  public var expressions: [Expression] {
    reads + makes.flatMap { $0.contribution.expressions } + loads.flatMap { $0.expressions }
  }
}
