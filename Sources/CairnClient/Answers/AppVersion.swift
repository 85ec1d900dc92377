public import Foundation

/// A version of an app that the service knows.
public struct AppVersion: Sendable, Decodable {
  /// The definition's hash.
  public var definition: String
  /// New sessions get it.
  public var isCurrent: Bool
  /// Since when the service has it.
  public var since: Date?
  /// The operator who put it; nil: it is a file's.
  public var by: String?
  /// How many are on it.
  public var sessions: Int

  private enum CodingKeys: String, CodingKey { case definition, current, since, by, sessions }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    definition = try members.decode(String.self, forKey: .definition)
    isCurrent = try members.decode(Bool.self, forKey: .current)
    since = try members.time(.since)
    by = try members.decodeIfPresent(String.self, forKey: .by)
    sessions = try members.decode(Int.self, forKey: .sessions)
  }
}
