public import CairnCore
public import Foundation

/// A page of the operator's list of sessions, in order of creation.
public struct SessionPage: Sendable, Decodable {
  public var sessions: [Item]
  /// The ids of sessions in the page's range that cannot be read.
  public var damaged: [String]
  /// The path of the next page, to be passed to `sessions(after:)`; `nil` on the last page.
  public var next: String?

  /// A session as an element of the list.
  public struct Item: Sendable, Decodable {
    public var id: String
    public var app: String
    public var definition: String
    public var label: String?
    public var revision: Int
    public var visible: RouteEntry?
    public var createdAt: Date
    public var updatedAt: Date
  }

  private enum CodingKeys: String, CodingKey { case sessions, damaged, next }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    sessions = try members.decode([Item].self, forKey: .sessions)
    damaged = try members.decodeIfPresent([String].self, forKey: .damaged) ?? []
    next = try members.decodeIfPresent(String.self, forKey: .next)
  }
}
