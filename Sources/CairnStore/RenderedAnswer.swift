/// An answer as bytes.
package struct RenderedAnswer: Hashable, Sendable {
  /// 0: there is none.
  package var status: Int
  /// A line for each field: name, colon, blank, value.
  package var head: String
  package var body: [UInt8]
  /// Where in the body a secret has its place that is not kept with it.
  package var hole: Int?

  /// No answer: of a message, and of a creation whose session is gone.
  package static let none = RenderedAnswer(status: 0, head: "", body: [])

  package init(status: Int, head: String, body: [UInt8], hole: Int? = nil) {
    self.status = status
    self.head = head
    self.body = body
    self.hole = hole
  }
}
