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
}
