public import CairnCore

/// The outcomes of an array of actions, all of which were performed.
public struct ActionsAnswer: Sendable, Decodable {
  /// Each action's own, without what is seen.
  public var answers: [ActionAnswer]
  /// The one that the last of them left, as all that follows.
  public var revision: Int
  public var tree: Tree
  public var stack: [RouteEntry]
  public var visible: RouteEntry?
  /// All of it, as it came.
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
