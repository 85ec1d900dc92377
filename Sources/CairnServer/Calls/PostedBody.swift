import CairnAPI
import CairnCore
import CairnJournal
import CairnStore

/// The response's body for one action or an array of actions.
struct PostedBody: JSONWritable {
  let posted: Posted
  let style: PostStyle
  /// The plan; `nil` if the post was performed.
  let plan: PlanBody?
  /// The predictions of the next actions; `nil` if the client did not ask for predictions or they could not be computed.
  let predictions: [PredictionBody]?

  init(_ posted: Posted, _ style: PostStyle, plan: PlanBody? = nil, predictions: [PredictionBody]? = nil) {
    self.posted = posted
    self.style = style
    self.plan = plan
    self.predictions = predictions
  }

  func write(to writer: inout JSONWriter) {
    let session = posted.session
    let (isArray, isMinimal) = (style.isArray, style.preferences.isMinimal)
    let reducer = session.definition.reducer
    let replica = isArray ? nil : posted.performed.first.flatMap { style.replica(of: $0, by: reducer) }
    let included = style.included(of: session, predictions: predictions, replica: replica)
    if !isArray, plan == nil, let only = posted.performed.first {
      return ActionBody.write(
        only.transition, revision: only.revision, session.state, session.definition.reducer, isMinimal: isMinimal,
        included: included, to: &writer)
    }
    let seen = Seen(session.state, session.definition.reducer, isMinimal: isMinimal)
    if !isArray, let only = posted.performed.first {
      var (transition, plan) = (only.transition, plan)
      if plan?.link != nil {
        // A plan contains the whole link. The response to a performed post contains only the link's id.
        plan?.link?.held = transition.link
        transition.link = nil
      }
      ActionBody(transition, revision: only.revision, seen: seen, plan: plan, included: included).write(to: &writer)
    } else {
      let answers = posted.performed.map {
        ActionBody($0.transition, revision: $0.revision, included: style.replica(of: $0, by: reducer).map(IncludedMembers.init(replica:)))
      }
      ActionsBody(revision: session.state.revision, answers: answers, seen: seen, plan: plan, included: included)
        .write(to: &writer)
    }
  }
}
