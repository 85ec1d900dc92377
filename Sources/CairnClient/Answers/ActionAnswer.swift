public import CairnCore

/// The outcome of an action.
public struct ActionAnswer: Sendable, Decodable {
  public var outcome: Outcome
  /// Why nothing changed, or what is waited for: a stable word.
  public var reason: String?
  /// The events of the action, in order.
  public var events: [Event]
  /// The changes from the old tree to the new one.
  public var changes: [Change]
  /// The one that it left.
  public var revision: Int
  /// nil in an array's single answers, as `stack` and `visible`.
  public var tree: Tree?
  public var stack: [RouteEntry]?
  /// nil also where no screen is visible.
  public var visible: RouteEntry?
  /// The link that was held, to `cancel` it by.
  public var heldLink: LinkID?
  /// It is a plan: nothing of it happened.
  public var isPlan: Bool
  /// All of it, as it came.
  public var json: Value

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
    // In a plan an object stands there: which link it is.
    heldLink = try? members.decodeIfPresent(LinkID.self, forKey: .link)
    isPlan = try members.decodeIfPresent(Bool.self, forKey: .plan) ?? false
    json = try Value(from: decoder)
  }

  /// The answer to a step whose screen was covered or gone when it arrived; nil: it was refused for another reason.
  init?(late problem: ServiceProblem) {
    guard [Refusal.Code.hidden, .dismissed].map(\.rawValue).contains(problem.code), let revision = problem.revision else { return nil }
    (outcome, reason, events, changes) = (.unchanged, problem.code, [], [])
    (self.revision, isPlan, json) = (revision, false, problem.json)
  }
}
