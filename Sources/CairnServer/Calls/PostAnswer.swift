import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

/// The response to a post that was performed or planned, before it is encoded.
struct PostAnswer: Sendable {
  var status: Int
  /// The tag of the revision for the `ETag` header.
  var tag: RevisionTag
  /// The outcome for the log. If the outcome has a reason, the reason follows after a colon.
  var result: String
  var body: PostedBody
  /// The value of `Preference-Applied`; `nil` if no preference was applied.
  private let applied: String?

  /// The response's headers. They are built on each access, so that the caller holds the only reference and can extend them in place.
  var headers: Headers {
    var headers = tag.headers()
    if let applied { headers.add("Preference-Applied", applied) }
    return headers
  }

  /// Creates the response. `predictions` are the predictions for the state after the post; `nil` if the client did not ask for predictions
  /// or they could not be computed.
  init(_ posted: Posted, _ style: PostStyle, plan: Plan? = nil, predictions: [PredictionBody]? = nil) {
    status = posted.performed.contains { $0.transition.outcome == .pending } ? 202 : 200
    tag = plan?.tag ?? posted.session.tag
    let outcome = posted.performed.last?.transition.outcome ?? .unchanged
    result = posted.performed.last?.transition.reason.map { "\(outcome.rawValue):\($0)" } ?? outcome.rawValue
    body = PostedBody(posted, style, plan: plan?.body, predictions: predictions)
    applied = style.preferences.applied
  }

  /// The additional members of a planned post's response.
  struct Plan {
    /// The tag of the session's current revision, on which the plan is based.
    var tag: RevisionTag
    var body: PlanBody
  }
}
