/// The journal's entry of one accepted action. The state can be computed from the entries.
public struct Entry: Hashable, Sendable {
  /// The revision that the action produced.
  public var revision: Int
  public var stamp: Stamp
  public var cause: Cause
  /// The name of the operator who posted the action; `nil` for the session's own client or the service itself. Informational only.
  public var author: String?
  /// The id of the HTTP request that led to the action; `nil` for the service itself or if it is unknown. Informational only.
  public var request: String?

  public enum Cause: Hashable, Sendable {
    case creation(Creation)
    case action(Action)
  }

  public init(revision: Int, stamp: Stamp, cause: Cause, author: String? = nil, request: String? = nil) {
    self.author = author
    self.request = request
    self.revision = revision
    self.stamp = stamp
    self.cause = cause
  }
}
