import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

/// The response to a POST that was performed or planned, before it is encoded.
struct PostAnswer: Sendable {
  var status: Int
  /// The revision in `ETag`.
  var tag: RevisionTag
  /// The outcome in one word, for the log.
  var result: String
  var body: PostedBody

  /// Built at each access, because headers without a second reference are extended in place.
  var headers: Headers {
    var headers = Service.tag(tag)
    if body.isMinimal { headers.add("Preference-Applied", "return=minimal") }
    return headers
  }

  init(_ posted: Posted, _ style: PostStyle, plan: Plan? = nil) {
    status = posted.performed.contains { $0.transition.outcome == .pending } ? 202 : 200
    tag = plan?.tag ?? posted.session.tag
    let outcome = posted.performed.last?.transition.outcome ?? .unchanged
    result = posted.performed.last?.transition.reason.map { "\(outcome.rawValue):\($0)" } ?? outcome.rawValue
    body = PostedBody(posted, isArray: style.isArray, isMinimal: style.isMinimal, plan: plan?.body)
  }

  /// The additional members of a plan.
  struct Plan {
    /// The revision of the session against which the plan was made.
    var tag: RevisionTag
    var body: PlanBody
  }
}
