/// A stored response to a request with a key. The store does not interpret the bytes.
package struct KeptAnswer: Hashable, Sendable {
  /// The fingerprint of the request. A different request under the same key is an error.
  package var print: Fingerprint
  /// The time of expiry in milliseconds since 1970.
  package var until: Int
  package var content: RenderedAnswer
  /// The session's revision when the response was rendered; 0 if unknown. When the history up to this revision is forgotten, the content is removed.
  package var revision = 0

  /// The maximum number of responses that are kept per session: the newest ones. The response to the session's creation is kept in
  /// addition.
  package static let limit = 2_000

  package init(print: Fingerprint, until: Int, content: RenderedAnswer, revision: Int = 0) {
    self.revision = revision
    self.print = print
    self.until = until
    self.content = content
  }

  /// A mark without content, for a message that has been processed.
  package init(mark print: Fingerprint, until: Int) {
    self.init(print: print, until: until, content: .none)
  }

  /// Returns the response without its content if the forgotten history includes the response's revision; otherwise returns it unchanged.
  package func forgotten(through revision: Int) -> KeptAnswer {
    guard self.revision <= revision else { return self }
    var mark = self
    mark.content = .none
    return mark
  }
}
