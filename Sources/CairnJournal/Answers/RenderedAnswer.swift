/// A rendered HTTP response: status, header fields and body.
package struct RenderedAnswer: Hashable, Sendable {
  /// The HTTP status; 0 if there is no response.
  package var status: Int
  /// The header fields, one line each: name, colon, space, value.
  package var head: String
  package var body: [UInt8]
  /// The position in the body at which to insert a secret that is not stored with the response; `nil` if the body needs no secret.
  package var hole: Int?

  /// A placeholder without a response. It is stored for a processed message, for a creation whose session has been deleted, and for a
  /// response that was forgotten.
  package static let none = RenderedAnswer(status: 0, head: "", body: [])

  package init(status: Int, head: String, body: [UInt8], hole: Int? = nil) {
    self.status = status
    self.head = head
    self.body = body
    self.hole = hole
  }
}
