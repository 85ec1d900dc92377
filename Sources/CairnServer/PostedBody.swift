import CairnAPI
import CairnCore
import CairnStore

/// The body of the response to an action or to an array of actions.
struct PostedBody: JSONWritable {
  let posted: Posted
  let isArray: Bool
  let isMinimal: Bool
  /// The additional members of a plan; `nil` if the actions were performed.
  let plan: PlanBody?

  init(_ posted: Posted, isArray: Bool, isMinimal: Bool, plan: PlanBody? = nil) {
    self.posted = posted
    self.isArray = isArray
    self.isMinimal = isMinimal
    self.plan = plan
  }

  func write(to writer: inout JSONWriter) {
    let session = posted.session
    if !isArray, plan == nil, let only = posted.performed.first {
      return ActionBody.write(
        only.transition, revision: only.revision, session.state, session.definition.reducer, isMinimal: isMinimal, to: &writer)
    }
    let seen = Seen(session.state, session.definition.reducer, isMinimal: isMinimal)
    if !isArray, let only = posted.performed.first {
      var (transition, plan) = (only.transition, plan)
      if plan?.link != nil {
        // A plan shows the whole link; the response to a post only has its id.
        plan?.link?.held = transition.link
        transition.link = nil
      }
      ActionBody(transition, revision: only.revision, seen: seen, plan: plan).write(to: &writer)
    } else {
      let answers = posted.performed.map { ActionBody($0.transition, revision: $0.revision) }
      ActionsBody(revision: session.state.revision, answers: answers, seen: seen, plan: plan).write(to: &writer)
    }
  }
}
