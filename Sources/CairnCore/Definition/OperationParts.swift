/// The nodes, steps, values and targets of an operation, for tools that read a definition without running it.
public struct OperationParts: Hashable, Sendable {
  /// The nodes that the operation creates, in order.
  public var makes: [Arrival]
  /// The steps that the operation sends when it runs. The steps of its nodes, loads, messages and timers are in
  /// `makes`, `loads`, `submissions` and `timers`.
  public var sends: [Sending]
  /// The expressions that the operation evaluates, except the params of its nodes, steps and effects.
  public var reads: [Expression]
  /// The facts that the operation writes or resets.
  public var writes: [String]
  public var goals: [Goal]
  public var loads: [Load]
  public var submissions: [Submission]
  public var timers: [Timer]
  public var removals: Set<Removal>

  /// A step and its receiver.
  public struct Sending: Hashable, Sendable {
    public var template: StepTemplate
    public var to: Operation.Destination

    public init(_ template: StepTemplate, to destination: Operation.Destination) {
      self.template = template
      to = destination
    }
  }

  /// A node that must exist for the operation to succeed.
  public enum Goal: Hashable, Sendable {
    /// A screen or flow anywhere in the tree, which is brought to the front.
    case front(Place)
    /// A node of a stack to which the operation pops.
    case back(Place)
    /// A node that is moved to the top of its stack.
    case raised(Place)
    /// A node of a stack, or a modal, that is removed.
    case removed(Place)
    /// A flow that is a tab.
    case tab(Place)
    /// A presented screen or flow that is dismissed.
    case closed(Place)

    public var place: Place {
      switch self {
      case .front(let place), .back(let place), .raised(let place), .removed(let place), .tab(let place), .closed(let place): place
      }
    }
  }

  /// The nodes that an operation may remove.
  public enum Removal: Hashable, Sendable {
    /// The modal that the flow or its emitting screen presents.
    case modal
    /// Any modal that covers another node.
    case covers
    /// Nodes of a container, such as the nodes of a stack.
    case nodes
    /// The flow itself.
    case flow
  }

  public init(
    makes: [Arrival] = [], sends: [Sending] = [], reads: [Expression] = [], writes: [String] = [], goals: [Goal] = [],
    loads: [Load] = [], submissions: [Submission] = [], timers: [Timer] = [], removals: Set<Removal> = []
  ) {
    self.makes = makes
    self.sends = sends
    self.reads = reads
    self.writes = writes
    self.goals = goals
    self.loads = loads
    self.submissions = submissions
    self.timers = timers
    self.removals = removals
  }
}

extension OperationParts {
  /// All steps that the operation may send when it runs or later, including the steps of the nodes that it creates.
  public var templates: [StepTemplate] {
    sends.map { $0.template } + makes.flatMap { $0.contribution.templates } + loads.flatMap { $0.templates }
      + submissions.flatMap { $0.templates } + timers.map { $0.step }
  }

  /// All expressions that are evaluated for the operation, except the params of its steps.
  public var expressions: [Expression] {
    reads + makes.flatMap { $0.contribution.expressions } + loads.flatMap { $0.expressions } + timers.compactMap { $0.value }
  }
}
