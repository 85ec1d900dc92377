package import CairnJournal

/// Makes a post run once even if it is posted repeatedly: an idempotency key with the response that is stored under it.
package struct Once: Sendable {
  let key: RequestKey
  let render: @Sendable (Result<Posted, StoreFault>, Session) -> (RenderedAnswer, word: String)

  /// `render` builds the response from the result and the session's new state, on the writer's thread. The response is stored with the same commit.
  package init(
    _ key: RequestKey, render: @escaping @Sendable (Result<Posted, StoreFault>, Session) -> (RenderedAnswer, word: String)
  ) {
    self.key = key
    self.render = render
  }
}
