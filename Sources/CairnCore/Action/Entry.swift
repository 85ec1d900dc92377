/// What lasts of one accepted action: enough to make the state again.
public struct Entry: Hashable, Sendable, Codable {
  /// The revision that it made.
  public var revision: Int
  public var stamp: Stamp
  public var cause: Cause

  public enum Cause: Hashable, Sendable, Codable {
    case creation(Creation)
    case action(Action)
  }

  public init(revision: Int, stamp: Stamp, cause: Cause) {
    self.revision = revision
    self.stamp = stamp
    self.cause = cause
  }
}
