/// The journal's entry of a session's creation, of an accepted action, or of a state that replaced another one without an action. A session's state
/// can be computed from its entries.
public struct Entry: Hashable, Sendable {
  /// The revision that the entry produced.
  public var revision: Int
  public var stamp: Stamp
  public var cause: Cause
  /// The name of the operator who posted the action; `nil` for the session's own client or the service itself. Informational only.
  public var author: String?
  /// The id of the HTTP request that led to the action; `nil` if the service itself caused the action, or if the id is unknown.
  /// Informational only.
  public var request: String?

  public enum Cause: Hashable, Sendable {
    case creation(Creation)
    case action(Action)
    case replacement(Replacement)
  }

  /// The origin of a state that no action produced. Such a state is stored with its entry and never computed again.
  public enum Replacement: Hashable, Sendable {
    /// The session moved from one definition to another. `from` and `to` are the hashes of the definitions.
    case migrated(from: String, to: String)
    /// An operator set the session back to a revision. The reason is optional.
    case undone(to: Int, reason: String?)
    /// The session began as a copy of a revision of another session.
    case forked(session: String, revision: Int)
    /// The session was imported without its secrets. The associated value is the id of the exported session.
    case imported(session: String)
    /// The session began with the state at the end of a scenario.
    case scenario(name: String)
  }

  public init(revision: Int, stamp: Stamp, cause: Cause, author: String? = nil, request: String? = nil) {
    self.author = author
    self.request = request
    self.revision = revision
    self.stamp = stamp
    self.cause = cause
  }
}
