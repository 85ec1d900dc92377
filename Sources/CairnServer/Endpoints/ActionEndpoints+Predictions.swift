import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

// Predicts the effects of actions. The reducer computes the effects on a copy of the state; the actions are not performed.
extension ActionEndpoints {
  /// Responds with a prediction of each posted action. The rate limits of posts apply.
  func predict(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    access.withSession(call) { session, role throws(Rejection) in
      let request = try call.body { body throws(BodyFault) in
        try PredictionRequest(body, byOperator: role == .operator).actions
      }
      let made = self.definition(request.definition, of: request.commands, on: session, as: role)
      let expected = try call.expectedRevisions()
      self.store.predict(request.commands, madeFor: made, to: session.id, matching: expected, while: call.isWanted) { result in
        switch result {
        case .failure(let fault): call.reject(call.rejection(fault, isArray: true))
        case .success(let predictions):
          let count = predictions.all.count
          call.answer(
            headers: predictions.session.tag.headers(), result: "predicted:\(count)",
            LazyBody { Self.body(of: predictions, request.commands) })
        }
      }
    }
  }

  private static func body(of predictions: Predictions, _ commands: [Command]) -> PredictionsBody {
    let all = zip(predictions.all, commands).enumerated().map { index, predicted in
      PredictionBody(action(of: predicted.0, predicted.1), effect(of: predicted.0, at: index))
    }
    return PredictionsBody(revision: predictions.session.state.revision, predictions: all)
  }

  private static func action(of prediction: Prediction, _ command: Command) -> PredictionBody.PredictedAction? {
    if case .advance(let milliseconds) = command { return .advance(by: milliseconds) }
    return prediction.action.map { .action($0) }
  }

  /// The effect of an action in the response. The problem of a refused action contains pointers to the action's element in the body.
  private static func effect(of prediction: Prediction, at index: Int) -> PredictionBody.Effect {
    switch prediction.result {
    case .success(let transition): return .performed(transition)
    case .failure(.refused(let refusal, _, let revision)):
      var problem = Problem(refusal, at: "/actions/\(index)")
      problem.index = index
      problem.revision = revision == 0 ? nil : revision
      return .refused(problem)
    case .failure(let fault):
      var problem = Rejection(fault, isArray: true).problem
      problem.index = index
      return .refused(problem)
    }
  }
}
