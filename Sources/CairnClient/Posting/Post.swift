import CairnCore

/// A post to a session.
struct Post: Sendable {
  /// The request with only this post. It has an idempotency key.
  var request: Wire.Call
  /// The action, if it may be sent together with other actions; `nil` for other posts and for an action with a condition.
  var action: Value?

  /// A copy that is sent in its own request.
  var alone: Post { Post(request: request, action: nil) }
}
