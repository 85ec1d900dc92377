/// The response to a request with a key. Opaque to the store: these are the bytes of the response.
package struct KeptAnswer: Hashable, Sendable {
  /// Of the request: another one under the same key is not the same.
  package var print: Fingerprint
  /// Milliseconds since 1970 at which it is forgotten.
  package var until: Int
  package var content: RenderedAnswer

  /// So many of a session are kept, the newest; its creation's is not counted.
  package static let limit = 1_000

  package init(print: Fingerprint, until: Int, content: RenderedAnswer) {
    self.print = print
    self.until = until
    self.content = content
  }

  /// Only that there was something: a message that was taken.
  package init(mark print: Fingerprint, until: Int) {
    self.init(print: print, until: until, content: .none)
  }
}
