import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

extension HistoryEndpoints {
  /// Encodes the response to a request that forgets history, in the form that is stored. Runs on the writer's thread.
  private func rendered(_ result: Result<Posted, StoreFault>, _ session: Session, _ call: Call) -> (RenderedAnswer, word: String) {
    switch result {
    case .success:
      let body = (try? JSONText.bytes(ForgottenBody(firstRevision: max(1, session.beginning)))) ?? []
      return (RenderedAnswer(Response(status: 200, headers: ["Content-Type": "application/json"], body: body)), "forgotten")
    case .failure(let fault):
      let rejection = call.rejection(fault)
      return (RenderedAnswer(call.response(to: rejection)), rejection.problem.code)
    }
  }

  func forget(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try access.requireOperator(call, for: "forgetting a session's history")
    let request = try call.body { body throws(BodyFault) in try ForgetRequest(body) }
    let expected = try call.expectedRevisions()
    try threads.run(call) { () throws(Rejection) in
      let session = try self.access.session(of: call, on: self.threads)
      if let key = try self.once.key(of: call, as: .operator) {
        return self.store.forgetting(session.id, before: request.before) { result in
          let post = Post(.of(result.map { .forgetting($0) }), to: session.id, matching: expected)
          let once = Once(key) { result, session in self.rendered(result, session, call) }
          self.store.post(post, once: once) { self.once.give(call, $0) }
        }
      }
      let first = try self.threads.waiting { self.store.forget(session.id, before: request.before, matching: expected, reply: $0) }
      call.answer(status: 200, result: "forgotten", ForgottenBody(firstRevision: first))
    }
  }
}
