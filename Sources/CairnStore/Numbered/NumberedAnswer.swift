package import CairnCore

/// The response to numbered actions.
package struct NumberedAnswers: Sendable {
  /// The session after the last action.
  package var session: Session
  /// One for each action, in their order.
  package var answers: [NumberedAnswer]
}

/// The response to one numbered action.
package struct NumberedAnswer: Sendable {
  package var number: WideInt
  package var content: Content

  package enum Content: Sendable {
    /// The action has run, now or when it was posted first.
    case given(RenderedAnswer, isReplay: Bool)
    /// The action has run, or an action with a higher number has. Its response is not stored any more.
    case known
    /// The action did not run, and may be posted again under its number.
    case notRun(StoreFault)
  }
}
