/// The journal's entry of one accepted action: enough to make the state again.
public struct Entry: Hashable, Sendable {
  /// The revision that it made.
  public var revision: Int
  public var stamp: Stamp
  public var cause: Cause
  /// The operator who asked for it, by name; nil: the session's own client did, or the service by itself. Nothing is decided by it.
  public var author: String?
  /// The id of the request that led to it; nil: the service by itself did, or the request is not known. Nothing is decided by it.
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
