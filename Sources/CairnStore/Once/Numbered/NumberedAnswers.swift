/// The response to a request with numbered actions.
package struct NumberedAnswers: Sendable {
  /// The session after the last action.
  package var session: Session
  /// The responses, in the order of the actions.
  package var answers: [NumberedAnswer]
}
