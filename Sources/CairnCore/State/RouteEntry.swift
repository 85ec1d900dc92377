/// One entry of the route stack: what is visible, from the root to the leaf, modals included.
public struct RouteEntry: Hashable, Sendable, Codable {
  public var id: NodeID
  public var screen: String
  public var params: [String: Value]?
  /// The flow that hears it.
  public var flow: String?
  /// True on the first entry of a modal.
  public var presented: Bool?
}

extension RouteEntry {
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(id.description, forKey: .id)
    try members.encode(screen, forKey: .screen)
    try members.encodeIfPresent(params, forKey: .params)
    try members.encodeIfPresent(flow, forKey: .flow)
    try members.encodeIfPresent(presented, forKey: .presented)
  }
}
