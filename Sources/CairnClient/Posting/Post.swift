import CairnCore

/// A post to a session.
struct Post: Sendable {
  /// The request by which the post goes alone. It has an idempotency key.
  var request: Wire.Call
  /// The action, if it may go with others; `nil` for other posts and for an action with a condition.
  var action: Value?

  /// The post, not to go with others.
  var alone: Post { Post(request: request, action: nil) }
}
