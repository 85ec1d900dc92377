import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

// Responds to plans. The response to a plan contains the effect that the post would have; nothing is performed.
extension Posting {
  /// Responds as the post would, with the additional members of a plan. The rate limits of posts apply.
  func plan(
    _ commands: [Command], madeFor made: ClientDefinition?, _ style: PostStyle, to session: Session, matching expected: [RevisionTag]?,
    message: Fingerprint?, _ call: Call
  ) throws(Rejection) {
    guard !call.request.headers.has("Idempotency-Key") else {
      throw Rejection(.invalid, "a plan stores nothing, so Idempotency-Key is not allowed; remove it")
    }
    store.plan(commands, madeFor: made, to: session.id, matching: expected, message: message, while: call.isWanted) { result in
      self.telemetry.planned()
      switch result {
      case .success(let planned): self.answer(planned, style, call)
      case .failure(let fault):
        let rejection = call.rejection(fault)
        call.reject(rejection, result: "planned:\(rejection.problem.code)")
      }
    }
  }

  private func answer(_ planned: Planned, _ style: PostStyle, _ call: Call) {
    let (session, definition) = (planned.session, planned.session.definition.definition)
    let link = planned.opening?.link.map { LinkBody($0, of: definition) }
    switch planned.result {
    case .success(let posted):
      // The tag identifies the state on which the plan is based. A post with this tag in `If-Match` either has the planned effect or is
      // refused.
      responses.withPredictions(of: posted.session, style, call) { predictions in
        call.answer {
          var answer = PostAnswer(posted, style, plan: .init(tag: session.tag, body: PlanBody(link: link)), predictions: predictions)
          answer.result = "planned:\(answer.result)"
          return answer
        }
      }
    case .failure(let fault):
      var rejection = call.rejection(fault, isArray: style.isArray, url: style.url)
      rejection.problem.link = link
      if rejection.problem.status == 409 { rejection.problem.accepts = session.definition.reducer.accepts(session.state) }
      call.reject(rejection, result: "planned:\(rejection.problem.code)")
    }
  }
}
