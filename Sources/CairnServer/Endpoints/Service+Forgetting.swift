import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

extension Service {
  func forget(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try requireOperator(call, for: "forgetting a session's history")
    let request = try body(of: call) { body throws(BodyFault) in try ForgetRequest(body) }
    let expected = try expectedRevisions(of: call)
    withSession(call) { session, _ throws(Rejection) in
      self.store.forget(session.id, before: request.before, matching: expected) { result in
        switch result {
        case .failure(let fault): call.reject(self.rejection(fault))
        case .success(let first): call.answer(status: 200, result: "forgotten", ForgottenBody(firstRevision: first))
        }
      }
    }
  }
}
