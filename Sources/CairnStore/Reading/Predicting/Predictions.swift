/// Predictions of several actions, each from the same revision of a session.
package final class Predictions: Sendable {
  /// The session on which the predictions are based.
  package let session: Session
  /// The predictions, in the order of the actions.
  package let all: [Prediction]

  init(session: Session, all: [Prediction]) {
    self.session = session
    self.all = all
  }
}
