/// An app's navigation as data, as CairnDefinition reads it from YAML or JSON. All names are resolved.
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
  /// The rules in file order.
  public var rules: [Rule]
  public var flows: [String: FlowDefinition]
  /// The links in file order. The first one that matches is used.
  public var links: [LinkDefinition]
  /// The maximum number of held links per session. A further link replaces the oldest one.
  public var heldLinks: Int
  public var notifications: NotificationDefinition
  public var oauth: OAuthDefinition?
  /// The hosts that loads may call, in addition to those of `env` facts.
  public var hosts: [String]
  /// The step that the root flow receives when a load gets the response 401, once per token.
  public var unauthorized: StepTemplate?
  /// The milliseconds after its last change at which a session expires; `nil` for the setting of the service.
  public var ttl: WideInt?

  /// The treatment of a step that its flow does not handle.
  public enum Unhandled: String, Hashable, Sendable, CaseIterable {
    /// It goes to the parent flow. Beyond the root it is refused.
    case parent
    /// `willNavigate` and `didNavigate` are sent, and nothing changes (RxFlow).
    case drop
  }

  /// The treatment of a step from a covered or removed node.
  public enum Covered: String, Hashable, Sendable, CaseIterable {
    case refuse
    /// It is accepted, because Flux, TCA and FlowController do not restrict it.
    case accept
  }

  /// The primitive actions that clients may post.
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
