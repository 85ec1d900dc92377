public import CairnCore

/// The response to an array of actions, all of which were performed.
public struct ActionsAnswer: Sendable, Decodable {
  /// The response to each action, without `tree`, `stack` and `visible`.
  public var answers: [ActionAnswer]
  /// The session's revision after the last action. The members below also describe the state after the last action.
  public var revision: Int
  public var tree: Tree
  public var stack: [RouteEntry]
  public var visible: RouteEntry?
  /// The whole response as received.
  public var json: Value

  private enum CodingKeys: String, CodingKey { case answers, revision, tree, stack, visible }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    answers = try members.decode([ActionAnswer].self, forKey: .answers)
    revision = try members.decode(Int.self, forKey: .revision)
    tree = try members.decode(Tree.self, forKey: .tree)
    stack = try members.decode([RouteEntry].self, forKey: .stack)
    visible = try members.decodeIfPresent(RouteEntry.self, forKey: .visible)
    json = try Value(from: decoder)
  }
}
