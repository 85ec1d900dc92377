/// The journal's entry for an accepted action. It is sufficient to compute the state again.
public struct Entry: Hashable, Sendable {
  /// The revision after the action.
  public var revision: Int
  public var stamp: Stamp
  public var cause: Cause
  /// The name of the operator that posted the action; `nil` if it was the session's client or the service itself. It has no influence on the state.
  public var author: String?
  /// The id of the request that posted the action; `nil` if it was the service itself or if the request is unknown. It has no influence on the state.
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
