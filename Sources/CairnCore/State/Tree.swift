/// A node with all that is below it, as a client sees it.
public struct Tree: Hashable, Sendable, Decodable {
  public var id: NodeID
  public var kind: Node.Kind
  public var name: String
  /// Only where the node is a `screen` flow: the flow's name.
  public var flow: String?
  public var params: [String: Value]?
  public var children: [Tree]?
  public var selected: Int?
  /// At most one; an array because a value cannot hold itself.
  private var presentedNodes: [Tree]?
  public var style: PresentationStyle?
  /// The screen that asked for it.
  public var on: NodeID?
  public var content: Content?
  public var ended: Bool?
  /// It is asked before a gesture takes it away.
  public var guarded: Bool?
  public var meta: Value?

  public var presented: Tree? {
    get { presentedNodes?.first }
    set { presentedNodes = newValue.map { [$0] } }
  }

  public init(id: NodeID, kind: Node.Kind, name: String) {
    self.id = id
    self.kind = kind
    self.name = name
  }

  private enum CodingKeys: String, CodingKey {
    case id, kind, name, flow, params, children, selected, presented, style, on, content, ended, guarded, meta
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    id = try members.decode(NodeID.self, forKey: .id)
    kind = try members.decode(Node.Kind.self, forKey: .kind)
    name = try members.decode(String.self, forKey: .name)
    flow = try members.decodeIfPresent(String.self, forKey: .flow)
    params = try members.decodeIfPresent([String: Value].self, forKey: .params)
    children = try members.decodeIfPresent([Tree].self, forKey: .children)
    selected = try members.decodeIfPresent(Int.self, forKey: .selected)
    presentedNodes = try members.decodeIfPresent(Tree.self, forKey: .presented).map { [$0] }
    style = try members.decodeIfPresent(PresentationStyle.self, forKey: .style)
    on = try members.decodeIfPresent(NodeID.self, forKey: .on)
    content = try members.decodeIfPresent(Content.self, forKey: .content)
    ended = try members.decodeIfPresent(Bool.self, forKey: .ended)
    guarded = try members.decodeIfPresent(Bool.self, forKey: .guarded)
    meta = try members.decodeIfPresent(Value.self, forKey: .meta)
  }
}
