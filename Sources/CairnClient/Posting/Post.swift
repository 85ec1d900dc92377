import CairnCore

/// A post to a session.
struct Post: Sendable {
  /// The request with only this post. It has an idempotency key.
  var request: Wire.Call
  /// The action, if it may be sent together with others; `nil` for other posts and for an action with a condition.
  var action: Value?

  /// The post as one that must be sent by itself.
  var alone: Post { Post(request: request, action: nil) }
}
