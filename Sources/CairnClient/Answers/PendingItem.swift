public import CairnCore
public import Foundation

/// Something that a session waits for.
public struct PendingItem: Sendable, Decodable {
  /// `link`, `modal`, `load`, `timer` or `token`.
  public var kind: String
  /// The id of a held link, for `cancel`.
  public var link: LinkID?
  /// A held link's.
  public var url: String?
  /// The node that a timer or a load belongs to, or a modal that waits.
  public var node: NodeID?
  /// A timer's.
  public var step: String?
  /// A timer's; of a modal its screen or flow.
  public var name: String?
  /// The level that a modal waits for.
  public var level: Int?
  /// The method of a load other than GET.
  public var method: String?
  /// When a timer fires, or a load is given up or tried next.
  public var due: Date?
  /// When a held link is dropped, or a load's last attempt ends.
  public var until: Date?

  private enum CodingKeys: String, CodingKey { case kind, link, url, node, step, name, level, method, due, until }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    kind = try members.decode(String.self, forKey: .kind)
    link = try members.decodeIfPresent(LinkID.self, forKey: .link)
    url = try members.decodeIfPresent(String.self, forKey: .url)
    node = try members.decodeIfPresent(NodeID.self, forKey: .node)
    step = try members.decodeIfPresent(String.self, forKey: .step)
    name = try members.decodeIfPresent(String.self, forKey: .name)
    level = try members.decodeIfPresent(Int.self, forKey: .level)
    method = try members.decodeIfPresent(String.self, forKey: .method)
    due = try members.time(.due)
    until = try members.time(.until)
  }
}
