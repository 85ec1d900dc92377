public import CairnCore
public import Foundation

/// A part of the operator's list of sessions, by creation.
public struct SessionPage: Sendable, Decodable {
  public var sessions: [Item]
  /// Ids of sessions that stand between them and cannot be read.
  public var damaged: [String]
  /// Where the list goes on, for `sessions(after:)`; nil: this is its end.
  public var next: String?

  /// A session in short.
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
