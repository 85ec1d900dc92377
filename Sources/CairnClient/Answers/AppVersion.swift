public import Foundation

/// A current or earlier definition of an app.
public struct AppVersion: Sendable, Decodable {
  /// The definition's hash.
  public var definition: String
  /// Whether new sessions are started with this definition.
  public var isCurrent: Bool
  /// The time from which the app was last served with the definition; if the service did not record that time, the creation time of the
  /// definition's oldest session.
  public var since: Date?
  /// The operator who uploaded the definition; `nil` if it came from the service's folder.
  public var by: String?
  /// The number of sessions that use the definition.
  public var sessions: Int

  private enum CodingKeys: String, CodingKey {
    case definition, since, by, sessions
    case isCurrent = "current"
  }
}
