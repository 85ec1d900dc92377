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

    private enum CodingKeys: String, CodingKey { case id, app, definition, label, revision, visible, createdAt, updatedAt }

    public init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      id = try members.decode(String.self, forKey: .id)
      app = try members.decode(String.self, forKey: .app)
      definition = try members.decode(String.self, forKey: .definition)
      label = try members.decodeIfPresent(String.self, forKey: .label)
      revision = try members.decode(Int.self, forKey: .revision)
      visible = try members.decodeIfPresent(RouteEntry.self, forKey: .visible)
      createdAt = try members.time(.createdAt) ?? .distantPast
      updatedAt = try members.time(.updatedAt) ?? .distantPast
    }
  }

  private enum CodingKeys: String, CodingKey { case sessions, damaged, next }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    sessions = try members.decode([Item].self, forKey: .sessions)
    damaged = try members.decodeIfPresent([String].self, forKey: .damaged) ?? []
    next = try members.decodeIfPresent(String.self, forKey: .next)
  }
}
