import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

extension Service {
  /// Encodes the response to a forgetting, to be stored. Runs on the writer's thread.
  private func rendered(_ result: Result<Posted, StoreFault>, _ session: Session, _ call: Call) -> (RenderedAnswer, word: String) {
    switch result {
    case .success:
      let body = (try? JSONText.bytes(ForgottenBody(firstRevision: max(1, session.beginning)))) ?? []
      return (RenderedAnswer(Response(status: 200, headers: ["Content-Type": "application/json"], body: body)), "forgotten")
    case .failure(let fault):
      let rejection = self.rejection(fault)
      return (RenderedAnswer(call.response(to: rejection)), rejection.problem.code)
    }
  }

  func forget(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try requireOperator(call, for: "forgetting a session's history")
    let request = try body(of: call) { body throws(BodyFault) in try ForgetRequest(body) }
    let expected = try expectedRevisions(of: call)
    withSession(call) { session, _ throws(Rejection) in
      if let name = try IdempotencyKey(call.request.headers) {
        let key = self.derivation.request(name, .operator, call.request)
        return self.store.forgetting(session.id, before: request.before) { result in
          let post = Post(.of(result.map { .forgetting($0) }), to: session.id, matching: expected)
          let once = Once(key) { result, session in self.rendered(result, session, call) }
          self.store.post(post, once: once) { self.give(call, $0) }
        }
      }
      self.store.forget(session.id, before: request.before, matching: expected) { result in
        switch result {
        case .failure(let fault): call.reject(self.rejection(fault))
        case .success(let first): call.answer(status: 200, result: "forgotten", ForgottenBody(firstRevision: first))
        }
      }
    }
  }
}
