/// The answer to a request that named a key.
package struct GivenAnswer: Sendable {
  package var content: RenderedAnswer
  /// Milliseconds since 1970 at which it is forgotten.
  package var until: Int
  /// It was given before.
  package var isReplay: Bool
  /// The outcome in a word, for the log.
  package var word: String
}
