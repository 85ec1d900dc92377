/// An app's navigation as data: what CairnDefinition reads from YAML or JSON, checked, every name resolved.
public struct Definition: Hashable, Sendable {
  public var app: String
  /// The root flow and its start steps.
  public var root: Contribution
  public var unhandled: Unhandled
  public var covered: Covered
  public var primitives: Primitives
  public var facts: [String: FactDefinition]
  public var screens: [String: ScreenDefinition]
  public var steps: [String: StepDefinition]
  /// In file order.
  public var rules: [Rule]
  public var flows: [String: FlowDefinition]
  /// In file order; the first that matches wins.
  public var links: [LinkDefinition]
  public var notifications: NotificationDefinition
  public var oauth: OAuthDefinition?
  /// Hosts that a load may call, beside those that an `env` fact names.
  public var hosts: [String]

  /// What becomes of a step that its flow does not list.
  public enum Unhandled: String, Hashable, Sendable, CaseIterable {
    /// It goes to the parent flow; past the root it is refused.
    case parent
    /// RxFlow: will and did are sent, nothing changes.
    case drop
  }

  /// What becomes of a step of a covered or removed node.
  public enum Covered: String, Hashable, Sendable, CaseIterable {
    case refuse
    /// Flux, TCA and FlowController know no such gate.
    case accept
  }

  /// Which raw operations a client may post.
  public enum Primitives: String, Hashable, Sendable, CaseIterable {
    /// Back, dismiss and select alone.
    case gestures
    /// Also push, present, set and remove.
    case open
  }

  public init(
    app: String, root: Contribution, unhandled: Unhandled = .parent, covered: Covered = .refuse,
    primitives: Primitives = .gestures, facts: [String: FactDefinition] = [:],
    screens: [String: ScreenDefinition] = [:], steps: [String: StepDefinition] = [:], rules: [Rule] = [],
    flows: [String: FlowDefinition] = [:], links: [LinkDefinition] = [], notifications: NotificationDefinition = .init(),
    oauth: OAuthDefinition? = nil, hosts: [String] = []
  ) {
    self.app = app
    self.root = root
    self.unhandled = unhandled
    self.covered = covered
    self.primitives = primitives
    self.facts = facts
    self.screens = screens
    self.steps = steps
    self.rules = rules
    self.flows = flows
    self.links = links
    self.notifications = notifications
    self.oauth = oauth
    self.hosts = hosts
  }
}

/// A fact's type, where its first value comes from. `accessToken` is built in and is never listed.
public struct FactDefinition: Hashable, Sendable {
  /// The built-in secret one: its value is never in a state, only that it is there.
  public static let accessToken = "accessToken"

  public var type: ParameterDefinition
  /// The environment variable it is read from when a session is created.
  public var environment: String?

  public init(type: ParameterDefinition, environment: String? = nil) {
    self.type = type
    self.environment = environment
  }
}

/// A leaf: its typed params and its transition contract.
public struct ScreenDefinition: Hashable, Sendable {
  public var params: [String: ParameterDefinition]
  /// The steps it may emit; nil: any.
  public var emits: Set<String>?
  /// Passed through to clients untouched.
  public var meta: Value?

  public init(params: [String: ParameterDefinition] = [:], emits: Set<String>? = nil, meta: Value? = nil) {
    self.params = params
    self.emits = emits
    self.meta = meta
  }
}

/// A named intention with typed params.
public struct StepDefinition: Hashable, Sendable {
  public var params: [String: ParameterDefinition]
  /// Refused when posted from outside: a load that came in, a timer.
  public var isInternal: Bool

  public init(params: [String: ParameterDefinition] = [:], isInternal: Bool = false) {
    self.params = params
    self.isInternal = isInternal
  }
}

/// A stepper on facts: its step goes to the root flow at the start, and whenever a fact that it names is written, if its guard holds.
public struct Rule: Hashable, Sendable {
  public var when: Guard
  public var step: StepTemplate

  public init(when: Guard, step: StepTemplate) {
    self.when = when
    self.step = step
  }
}

/// An area of navigation: one container, and handlers for steps.
public struct FlowDefinition: Hashable, Sendable {
  public var container: Container
  /// What it is born with.
  public var birth: Birth
  /// The children a `switch` may show.
  public var children: [String]
  public var handle: [String: Handler]
  /// Per step, the first replacement whose guard holds is taken.
  public var adapt: [String: [Adaptation]]
  public var meta: Value?

  public enum Container: String, Hashable, Sendable, Codable, CaseIterable {
    case stack, tabs, split, screen
    case oneOf = "switch"
  }

  public enum Birth: Hashable, Sendable {
    case empty
    case root(Contribution)
    case tabs([Contribution])
    case split(master: [Contribution], detail: Contribution)
  }

  public init(
    container: Container, birth: Birth = .empty, children: [String] = [], handle: [String: Handler] = [:],
    adapt: [String: [Adaptation]] = [:], meta: Value? = nil
  ) {
    self.container = container
    self.birth = birth
    self.children = children
    self.handle = handle
    self.adapt = adapt
    self.meta = meta
  }
}

/// Replaces a step before the flow sees it (RxFlow's adapt, as a pure rule).
public struct Adaptation: Hashable, Sendable {
  public var when: Guard
  public var to: StepTemplate

  public init(when: Guard, to: StepTemplate) {
    self.when = when
    self.to = to
  }
}

/// The branches of a handler; the first whose guard holds runs. A handler without branches has one, without a guard.
public struct Handler: Hashable, Sendable {
  public var branches: [Branch]

  public struct Branch: Hashable, Sendable {
    public var when: Guard?
    public var operations: [Operation]

    public init(when: Guard? = nil, operations: [Operation]) {
      self.when = when
      self.operations = operations
    }
  }

  public init(branches: [Branch]) { self.branches = branches }
}
