package import CairnCore

/// Commands under an idempotency key, which run once even if they are posted repeatedly. A class, so that a `Message` stays small.
package final class KeyedPost: Sendable {
  let commands: [Command]
  let made: ClientDefinition?
  let session: String
  let matching: [RevisionTag]?
  let message: Fingerprint?
  let origin: EntryOrigin
  let key: RequestKey
  let render: @Sendable (Result<Posted, StoreFault>, Session) -> (RenderedAnswer, word: String)

  /// `matching` and `message` are checked as for any post, but not for repetitions. `render` builds the response from the result and the session's
  /// new state, on the writer's thread. The response is stored with the same commit.
  package init(
    _ commands: [Command], madeFor made: ClientDefinition? = nil, to session: String, matching: [RevisionTag]? = nil,
    message: Fingerprint? = nil,
    origin: EntryOrigin = EntryOrigin(),
    key: RequestKey,
    render: @escaping @Sendable (Result<Posted, StoreFault>, Session) -> (RenderedAnswer, word: String)
  ) {
    self.commands = commands
    self.made = made
    self.session = session
    self.matching = matching
    self.message = message
    self.origin = origin
    self.key = key
    self.render = render
  }
}
