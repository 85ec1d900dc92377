/// Predictions of several actions, each from the same revision of a session.
package final class Predictions: Sendable {
  /// The session on which the predictions are based.
  package let session: Session
  /// One prediction for each action, in their order.
  package let all: [Prediction]

  init(session: Session, all: [Prediction]) {
    self.session = session
    self.all = all
  }
}
