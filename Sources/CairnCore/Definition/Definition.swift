/// An app's navigation as data. CairnDefinition reads it from YAML or JSON, validates it and resolves every name.
public struct Definition: Hashable, Sendable {
  public var app: String
  /// The root flow and its start steps.
  public var root: Contribution
  public var unhandled: Unhandled
  public var covered: Covered
  public var facts: [String: FactDefinition]
  public var screens: [String: ScreenDefinition]
  public var steps: [String: StepDefinition]
  /// The rules in file order.
  public var rules: [Rule]
  public var flows: [String: FlowDefinition]
  /// The links in file order. The first one that matches a URL is used.
  public var links: [LinkDefinition]
  #if !CLIENT_ENGINE
    /// The step that is sent if no link matches a URL; `nil` if such a URL is refused. The template can read the params `url` and `reason`.
    /// The engine of a client does not receive the template, so it does not predict the effect of such a URL.
    public var unmatched: StepTemplate?
  #endif
  /// Maximum number of held links in a session. At the maximum, a new held link replaces the oldest one.
  public var heldLinks: Int
  public var notifications: NotificationDefinition
  public var oauth: OAuthDefinition?
  /// The hosts that a load may call, in addition to those in facts from the environment.
  public var hosts: [String]
  /// The step sent to the root flow, once per token, when a 401 response to a load or a rejected refresh shows that the access token is no longer
  /// valid.
  public var unauthorized: StepTemplate?
  /// Milliseconds from a session's last change to its end; if `nil`, the setting of the service applies.
  public var ttl: WideInt?
  /// Maximum milliseconds for which a client is expected to be without a network; `nil` if the app does not declare that it works offline.
  public var offlineFor: WideInt?
  /// The milliseconds for which entries of a session's history are kept; if `nil`, the setting of the service applies.
  public var historyRetention: WideInt?

  /// The treatment of a step that the receiving flow does not handle.
  public enum Unhandled: String, Hashable, Sendable, CaseIterable {
    /// The step is passed to the parent flow. If the root flow does not handle it either, the step is refused.
    case parent
    /// Nothing changes, but the events `willNavigate` and `didNavigate` are reported, as in RxFlow.
    case drop
  }

  /// The treatment of a step sent by a covered or removed node.
  public enum Covered: String, Hashable, Sendable, CaseIterable {
    case refuse
    /// The step is handled, as in Flux, TCA and FlowController.
    case accept
  }

  /// The value of `offlineFor` for an app that does not set it: 14 days, the age up to which clients keep unsent actions.
  package static let usualOfflineFor: WideInt = 14 * 86_400_000

  public init(
    app: String, root: Contribution, unhandled: Unhandled = .parent, covered: Covered = .refuse, facts: [String: FactDefinition] = [:],
    screens: [String: ScreenDefinition] = [:], steps: [String: StepDefinition] = [:], rules: [Rule] = [],
    flows: [String: FlowDefinition] = [:], links: [LinkDefinition] = [], heldLinks: Int = 1,
    notifications: NotificationDefinition = .init(),
    oauth: OAuthDefinition? = nil, hosts: [String] = [], ttl: WideInt? = nil
  ) {
    self.app = app
    self.root = root
    self.unhandled = unhandled
    self.covered = covered
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
