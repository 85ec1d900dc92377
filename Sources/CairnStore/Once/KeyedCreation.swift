package import CairnJournal

/// The creation of a session under an idempotency key. The session's id is derived from the key, so a repetition does not create another
/// session.
package final class KeyedCreation: Sendable {
  let new: NewSession
  /// The fingerprint of the whole request.
  let print: Fingerprint
  let render: @Sendable (Created) -> (RenderedAnswer, word: String)

  /// Creates the request. `render` builds the response on the writer's thread. The response is stored with the same commit, so it must
  /// contain no secret.
  package init(_ new: NewSession, print: Fingerprint, render: @escaping @Sendable (Created) -> (RenderedAnswer, word: String)) {
    self.new = new
    self.print = print
    self.render = render
  }
}
