/// The rule for access and refresh tokens, wherever one comes from (RFC 6749, A.12 and A.17; RFC 6750, 2.1).
package enum TokenText {
  /// The maximum length in bytes, which is what servers commonly accept as a header.
  package static let limit = 8_192

  /// The rule except the length, as a regular expression of JSON Schema.
  package static let pattern = "^[!-~]+$"

  /// Returns what is wrong with a token, as a clause after its name; `nil` if it can be sent as `Authorization: Bearer …`.
  package static func fault(of text: String) -> String? {
    if text.isEmpty { return "must not be empty" }
    if text.utf8.count > limit { return "must have at most \(limit) bytes" }
    return text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? nil : "must consist of visible ASCII characters, without spaces"
  }

  /// Throws `invalid` if a token cannot be used. `pointer` is its place in the action.
  package static func check(_ text: String, at pointer: String) throws(Refusal) {
    guard let fault = fault(of: text) else { return }
    throw Refusal(.invalid, "the access token cannot be used: it \(fault)", faults: [.init(pointer: pointer, detail: fault)])
  }
}
