package import CairnCore

/// Commands under a key: they run once, however often they come. An object, so that a message stays small.
package final class KeyedPost: Sendable {
  let commands: [Command]
  let session: String
  let matching: [RevisionTag]?
  let message: Fingerprint?
  let origin: EntryOrigin
  let key: RequestKey
  let render: @Sendable (Result<Posted, StoreFault>, Session) -> (RenderedAnswer, word: String)

  /// `matching` and `message` as of any post; they do not matter to a repeat. `render` makes the answer of what the commands did or why they
  /// were refused, and of the session as it is then, on the writer's thread: it is written with the same commit.
  package init(
    _ commands: [Command], to session: String, matching: [RevisionTag]? = nil, message: Fingerprint? = nil,
    origin: EntryOrigin = EntryOrigin(),
    key: RequestKey,
    render: @escaping @Sendable (Result<Posted, StoreFault>, Session) -> (RenderedAnswer, word: String)
  ) {
    self.commands = commands
    self.session = session
    self.matching = matching
    self.message = message
    self.origin = origin
    self.key = key
    self.render = render
  }
}
