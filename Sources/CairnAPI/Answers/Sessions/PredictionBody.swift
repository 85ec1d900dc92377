package import CairnCore

/// The prediction of one action: the effect that it would have if it were posted to a session.
package struct PredictionBody: JSONWritable, Sendable {
  /// The action without secrets, as the history would contain it; `nil` if the action was refused before its secrets were sealed.
  package var action: PredictedAction?
  package var effect: Effect

  /// An action of a prediction.
  package enum PredictedAction: Sendable {
    case action(Action)
    /// The milliseconds by which a manual clock advances.
    case advance(by: Int)
  }

  /// The effect of the action, or the problem of its refusal.
  package enum Effect: Sendable {
    case performed(Transition)
    case refused(Problem)
  }

  package init(_ action: PredictedAction?, _ effect: Effect) {
    self.action = action
    self.effect = effect
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch action {
    case .action(let action): writer.member("action", action)
    case .advance(let milliseconds):
      writer.name("action")
      writer.beginObject()
      writer.member("by", "\(milliseconds)ms")
      writer.member("type", "advance")
      writer.endObject()
    case nil: break
    }
    switch effect {
    case .performed(let transition):
      writer.name("changes")
      transition.writeChanges(to: &writer)
      writer.member("outcome", transition.outcome)
      writer.member("reason", ifPresent: transition.reason)
    case .refused(let problem): writer.member("error", problem)
    }
    writer.endObject()
  }
}

/// The response to a request for predictions.
package struct PredictionsBody: DescribedBody, Sendable {
  /// The revision from which each action was predicted.
  package var revision: Int
  /// The predictions, one for each action, in their order.
  package var predictions: [PredictionBody]

  package init(revision: Int, predictions: [PredictionBody]) {
    self.revision = revision
    self.predictions = predictions
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("predictions", body?.predictions, "The predictions, in the order of the actions.", as: .list(of: .shared(.prediction)))
    visitor.always("revision", body?.revision, as: .shared(.revision))
  }

  package static var about: String {
    "The predictions of the posted actions. Each prediction starts from the session's state at revision, not from the result of the previous action."
  }
  package static var firstRequired: [String] { ["revision"] }
}
