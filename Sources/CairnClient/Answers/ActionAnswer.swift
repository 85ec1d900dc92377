public import CairnCore

/// The response to an action.
public struct ActionAnswer: Sendable, Decodable {
  public var outcome: Outcome
  /// A stable word for the reason why nothing changed, or for the event that the session waits for; `nil` if there is neither. `known` means that the action
  /// was processed, but its response is no longer stored.
  public var reason: String?
  /// The events of the action, in order.
  public var events: [Event]
  /// The changes from the old tree to the new one.
  public var changes: [Change]
  /// The session's revision after the action.
  public var revision: Int
  /// The tree after the action. `tree`, `stack` and `visible` are `nil` in the responses to the single actions of an array.
  public var tree: Tree?
  public var stack: [RouteEntry]?
  /// The visible route; also `nil` if no screen is visible.
  public var visible: RouteEntry?
  /// The id of the link that the session now holds, to be passed to `cancel`; `nil` if the action held no link.
  public var heldLink: LinkID?
  /// Whether the response belongs to a plan, which performs nothing.
  public var isPlan: Bool
  /// The whole response as received.
  public var json: Value
  /// Whether the user has agreed to leave the app. The app then closes or goes to the background. Other clients of the session stay open.
  public var exits: Bool { events.contains { $0.type == .exit } }

  private enum CodingKeys: String, CodingKey { case outcome, reason, events, changes, revision, tree, stack, visible, link, plan }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    outcome = try members.decode(Outcome.self, forKey: .outcome)
    reason = try members.decodeIfPresent(String.self, forKey: .reason)
    events = try members.readable(.events)
    changes = try members.decode([Change].self, forKey: .changes)
    revision = try members.decode(Int.self, forKey: .revision)
    tree = try members.decodeIfPresent(Tree.self, forKey: .tree)
    stack = try members.decodeIfPresent([RouteEntry].self, forKey: .stack)
    visible = try members.decodeIfPresent(RouteEntry.self, forKey: .visible)
    // In a plan, this member is an object that describes the link.
    heldLink = try? members.decodeIfPresent(LinkID.self, forKey: .link)
    isPlan = try members.decodeIfPresent(Bool.self, forKey: .plan) ?? false
    json = try Value(from: decoder)
  }

  /// Creates a response with the outcome `performed` and the reason `known`, for an action whose own response is no longer stored.
  /// `revision` is a revision that contains the action's effect.
  init(knownBy revision: Int) {
    (outcome, reason, events, changes) = (.performed, "known", [], [])
    (self.revision, isPlan, json) = (revision, false, ["outcome": "known", "revision": .integer(WideInt(revision))])
  }

  /// Creates the response to a step or gesture whose node was covered or dismissed when the action arrived. Returns `nil` if the action was refused for another
  /// reason.
  init?(late problem: ServiceProblem) {
    guard [Refusal.Code.hidden, .dismissed].map(\.rawValue).contains(problem.code), let revision = problem.revision else { return nil }
    (outcome, reason, events, changes) = (.unchanged, problem.code, [], [])
    (self.revision, isPlan, json) = (revision, false, problem.json)
  }
}
