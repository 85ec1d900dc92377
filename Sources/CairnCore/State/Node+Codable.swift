// A node as it is stored: what is as it was at birth is left out, and ids go as the strings that they are. A state is written with every
// commit, and most of its nodes are plain: its text is a third shorter for that, and made in two thirds of the time.
extension Node {
  private enum CodingKeys: String, CodingKey {
    case id, kind, name, flow, owner, parent, children, selected, presented, style, on, params, content, ended, listen, left, leave,
      authorization,
      asker, collapsed, opened, level, waits
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try members.decode(NodeID.self, forKey: .id), kind: try members.decode(Kind.self, forKey: .kind),
      name: try members.decode(String.self, forKey: .name), flow: try members.decodeIfPresent(String.self, forKey: .flow),
      owner: try members.decodeIfPresent(NodeID.self, forKey: .owner), parent: try members.decodeIfPresent(NodeID.self, forKey: .parent))
    children = try members.decodeIfPresent([NodeID].self, forKey: .children) ?? []
    selected = try members.decodeIfPresent(Int.self, forKey: .selected)
    presented = try members.decodeIfPresent(NodeID.self, forKey: .presented)
    style = try members.decodeIfPresent(PresentationStyle.self, forKey: .style)
    on = try members.decodeIfPresent(NodeID.self, forKey: .on)
    params = try members.decodeIfPresent([String: Value].self, forKey: .params) ?? [:]
    content = try members.decodeIfPresent(Content.self, forKey: .content)
    ended = try members.decodeIfPresent(Bool.self, forKey: .ended) ?? false
    listen = try members.decodeIfPresent(Listen.self, forKey: .listen) ?? Listen()
    left = try members.decodeIfPresent(StepTemplate.self, forKey: .left)
    leave = try members.decodeIfPresent(Leave.self, forKey: .leave)
    level = try members.decodeIfPresent(Int.self, forKey: .level)
    waits = try members.decodeIfPresent(Bool.self, forKey: .waits) ?? false
    authorization = try members.decodeIfPresent(String.self, forKey: .authorization)
    collapsed = try members.decodeIfPresent(Bool.self, forKey: .collapsed) ?? false
    opened = try members.decodeIfPresent(Bool.self, forKey: .opened) ?? false
    asker = try members.decodeIfPresent(Asker.self, forKey: .asker)
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(id.description, forKey: .id)
    try members.encode(kind.rawValue, forKey: .kind)
    try members.encode(name, forKey: .name)
    try members.encodeIfPresent(flow, forKey: .flow)
    try members.encodeIfPresent(owner?.description, forKey: .owner)
    try members.encodeIfPresent(parent?.description, forKey: .parent)
    if !children.isEmpty { try members.encode(children.map(\.description), forKey: .children) }
    try members.encodeIfPresent(selected, forKey: .selected)
    try members.encodeIfPresent(presented?.description, forKey: .presented)
    try members.encodeIfPresent(style?.rawValue, forKey: .style)
    try members.encodeIfPresent(on?.description, forKey: .on)
    if !params.isEmpty { try members.encode(params, forKey: .params) }
    try members.encodeIfPresent(content, forKey: .content)
    if ended { try members.encode(ended, forKey: .ended) }
    if listen != Listen() { try members.encode(listen, forKey: .listen) }
    try members.encodeIfPresent(left, forKey: .left)
    try members.encodeIfPresent(leave, forKey: .leave)
    try members.encodeIfPresent(level, forKey: .level)
    if waits { try members.encode(waits, forKey: .waits) }
    try members.encodeIfPresent(authorization, forKey: .authorization)
    if collapsed { try members.encode(collapsed, forKey: .collapsed) }
    if opened { try members.encode(opened, forKey: .opened) }
    try members.encodeIfPresent(asker, forKey: .asker)
  }
}
