import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

// Predictions: what actions would do, computed by the reducer without performing anything.
extension Service {
  /// Responds with a prediction of each posted action. The rate limits of posts apply.
  func predict(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    withSession(call) { session, role throws(Rejection) in
      let request = try self.body(of: call) { body throws(BodyFault) in
        try PredictionRequest(body, byOperator: role == .operator).actions
      }
      let made = self.definition(request.definition, setsFacts: request.setsFacts, of: session, as: role)
      let expected = try self.expectedRevisions(of: call)
      self.store.predict(request.commands, madeFor: made, to: session.id, matching: expected, while: call.isWanted) { result in
        switch result {
        case .failure(let fault): call.reject(self.rejection(fault, isArray: true))
        case .success(let predictions):
          let count = predictions.all.count
          call.answer(
            headers: Self.tag(predictions.session.tag), result: "predicted:\(count)",
            LazyBody { Self.body(of: predictions, request.commands) })
        }
      }
    }
  }

  /// The predictions of the actions that a client may post next. Runs on a reader's thread.
  func predictions(from basis: PredictionBasis) -> [PredictionBody] {
    store.predictions(from: basis).compactMap { prediction in
      guard case .success(let transition) = prediction.result else { return nil }
      return PredictionBody(prediction.action.map { .action($0) }, .performed(transition))
    }
  }

  /// Calls `next` with the predictions for a session to which something was posted; with `nil` if the client did not ask for them, or if too many requests
  /// wait for the readers. They are computed on a reader's thread, because the thread that serves connections must not wait for them.
  func withPredictions(
    of session: Session, _ style: PostStyle, _ call: Call, _ next: @escaping @Sendable ([PredictionBody]?) -> Void
  ) {
    withPredictions(of: session, style.preferences.addition, call, next)
  }

  /// The same for an addition to the response.
  func withPredictions(
    of session: Session, _ addition: Addition?, _ call: Call, _ next: @escaping @Sendable ([PredictionBody]?) -> Void
  ) {
    guard addition == .predictions else { return next(nil) }
    store.compute(session.id, while: call.isWanted) {
      self.predictions(from: .session(session))
    } reply: {
      next(try? $0.get())
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

  /// The problem of a refused action has the pointers of its place in the body.
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
