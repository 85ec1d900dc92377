/// The syntax of access and refresh tokens from any source (RFC 6749, A.12 and A.17; RFC 6750, 2.1).
package enum TokenText {
  /// Maximum length in bytes, which is the size that servers commonly accept as a header.
  package static let limit = 8_192

  /// The syntax without the length, as a regular expression of JSON Schema.
  package static let pattern = "^[!-~]+$"

  /// Returns the fault of a token, as a clause after its name; `nil` if the token can be sent as `Authorization: Bearer …`.
  package static func fault(of text: String) -> String? {
    if text.isEmpty { return "must not be empty" }
    if text.utf8.count > limit { return "must have at most \(limit) bytes" }
    return text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? nil : "must consist of visible ASCII characters, without spaces"
  }

  /// Throws `invalid` if a token cannot be used. `pointer` points to the token in the action.
  package static func check(_ text: String, at pointer: String) throws(Refusal) {
    guard let fault = fault(of: text) else { return }
    throw Refusal(.invalid, "the access token cannot be used: it \(fault)", faults: [.init(pointer: pointer, detail: fault)])
  }
}
