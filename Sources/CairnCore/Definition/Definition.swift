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
  /// How many links a session holds at most; the newest takes the place of the oldest.
  public var heldLinks: Int
  public var notifications: NotificationDefinition
  public var oauth: OAuthDefinition?
  /// Hosts that a load may call, beside those that an `env` fact names.
  public var hosts: [String]
  /// Sent to the root flow when a load was answered that its token is not good (401), once for each token.
  public var unauthorized: StepTemplate?
  /// Milliseconds after its last change when a session ends; nil: as the service is set.
  public var ttl: WideInt?

  /// The treatment of a step that its flow does not list.
  public enum Unhandled: String, Hashable, Sendable, CaseIterable {
    /// It goes to the parent flow; past the root it is refused.
    case parent
    /// RxFlow: will and did are sent, nothing changes.
    case drop
  }

  /// The treatment of a step of a covered or removed node.
  public enum Covered: String, Hashable, Sendable, CaseIterable {
    case refuse
    /// Flux, TCA and FlowController know no such gate.
    case accept
  }

  /// Which raw operations a client may post.
  public enum Primitives: String, Hashable, Sendable, CaseIterable {
    /// Only back, dismiss and select.
    case gestures
    /// Also push, present, set and remove.
    case open
  }

  public init(
    app: String, root: Contribution, unhandled: Unhandled = .parent, covered: Covered = .refuse,
    primitives: Primitives = .gestures, facts: [String: FactDefinition] = [:],
    screens: [String: ScreenDefinition] = [:], steps: [String: StepDefinition] = [:], rules: [Rule] = [],
    flows: [String: FlowDefinition] = [:], links: [LinkDefinition] = [], heldLinks: Int = 1,
    notifications: NotificationDefinition = .init(),
    oauth: OAuthDefinition? = nil, hosts: [String] = [], ttl: WideInt? = nil
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
    self.heldLinks = heldLinks
    self.notifications = notifications
    self.oauth = oauth
    self.hosts = hosts
    self.ttl = ttl
  }
}
