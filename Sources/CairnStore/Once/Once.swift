package import CairnJournal

/// An idempotency key with the function that renders the response stored under it. A post with a key runs once even if it is posted repeatedly.
package struct Once: Sendable {
  let key: RequestKey
  let render: @Sendable (Result<Posted, StoreFault>, Session) -> (RenderedAnswer, word: String)

  /// Creates the key of a post. `render` builds the response from the result and the session's new state, on the writer's thread. The
  /// response is stored with the same commit.
  package init(
    _ key: RequestKey, render: @escaping @Sendable (Result<Posted, StoreFault>, Session) -> (RenderedAnswer, word: String)
  ) {
    self.key = key
    self.render = render
  }
}
