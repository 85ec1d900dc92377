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

  private enum CodingKeys: String, CodingKey {
    case definition, since, by, sessions
    case isCurrent = "current"
  }
}
