package import CairnJournal

/// The response to a request with an idempotency key.
package struct GivenAnswer: Sendable {
  package var content: RenderedAnswer
  /// The time in milliseconds since 1970 at which the stored response expires.
  package var until: Int
  /// Whether the response is a repetition of a stored one.
  package var isReplay: Bool
  /// The outcome as a keyword for the log.
  package var word: String
  /// The result of the post if it ran for this request; `nil` for a repetition, a refusal or a creation.
  package var posted: Posted?
}
