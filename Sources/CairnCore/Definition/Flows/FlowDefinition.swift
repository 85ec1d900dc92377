/// An area of navigation: one container, and handlers for steps.
public struct FlowDefinition: Hashable, Sendable {
  /// The kind of container, one of `Node.Kind.ofFlows`.
  public var container: Node.Kind
  /// The values that the creator of the flow passes. Empty for a `screen` flow, which has the params of its screen.
  public var params: [String: ParameterDefinition]
  /// The facts of the flow, which exist as long as its node does.
  public var facts: [String: ParameterDefinition]
  /// The flow's initial nodes.
  public var initialChildren: InitialChildren
  /// The names of the flows that a `switch` may show; empty for other containers.
  public var children: [String]
  public var handle: [String: Handler]
  /// The adaptations of each step. The first one whose guard is true is used.
  public var adapt: [String: [Adaptation]]
  /// The behavior of tabs. Unused by other containers.
  public var tabs: TabsManner
  /// The members of the flow's result, by name; `nil` if it has no result.
  public var gives: [String: ParameterDefinition]?
  /// The condition under which a split is laid out as a stack.
  public var collapse: Guard?
  /// The steps that all screens below the flow may emit, in addition to those of their own contracts.
  public var emits: Set<String>
  /// The inactivity timer, which has an empty name. It sends a step when no client has acted for some time. The array is empty if the flow
  /// has no such timer.
  public var idle: [Timer] = []
  public var meta: Value?

  public indirect enum InitialChildren: Hashable, Sendable {
    case empty
    case root(Contribution)
    case tabs([Contribution])
    case split(master: [Contribution], detail: Contribution)
  }

  public init(
    container: Node.Kind, params: [String: ParameterDefinition] = [:], facts: [String: ParameterDefinition] = [:],
    initialChildren: InitialChildren = .empty, children: [String] = [], handle: [String: Handler] = [:],
    adapt: [String: [Adaptation]] = [:], tabs: TabsManner = .init(), gives: [String: ParameterDefinition]? = nil,
    collapse: Guard? = nil, emits: Set<String> = [], meta: Value? = nil
  ) {
    self.container = container
    self.params = params
    self.facts = facts
    self.initialChildren = initialChildren
    self.children = children
    self.handle = handle
    self.adapt = adapt
    self.tabs = tabs
    self.gives = gives
    self.collapse = collapse
    self.emits = emits
    self.meta = meta
  }
}
