/// The response to numbered actions.
package struct NumberedAnswers: Sendable {
  /// The session after the last action.
  package var session: Session
  /// One response for each action, in their order.
  package var answers: [NumberedAnswer]
}
