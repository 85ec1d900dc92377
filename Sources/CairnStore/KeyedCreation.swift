/// A session's start under a key, from which its id was made: it is started once.
package final class KeyedCreation: Sendable {
  let new: NewSession
  /// Of all that the request asks for.
  let print: Fingerprint
  let render: @Sendable (Created) -> (RenderedAnswer, word: String)

  /// `render` makes the answer on the writer's thread: it is written with the same commit, so no secret may stand in it.
  package init(_ new: NewSession, print: Fingerprint, render: @escaping @Sendable (Created) -> (RenderedAnswer, word: String)) {
    self.new = new
    self.print = print
    self.render = render
  }
}
