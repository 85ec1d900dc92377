/// The query of a URL, in the encoding of forms (WHATWG URL, 5.1): `+` stands for a space, and `%2B` for a plus sign. A parameter is
/// decoded only when it is read, so an invalid escape in an unused parameter has no effect.
struct URLQuery {
  private var items: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?)] = []

  init(_ text: some StringProtocol) { self.init(Array(text.utf8)[...]) }

  init(_ text: ArraySlice<UInt8>) {
    for item in text.split(separator: UInt8(ascii: "&")) {
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      items.append((name, name.endIndex == item.endIndex ? nil : item[(name.endIndex + 1)...]))
    }
  }

  /// The decoded value of the first parameter with this name; `nil` if there is none, or if the parameter has no `=`. Throws if the value
  /// contains an invalid escape, a NUL, or bytes that are not UTF-8.
  func value(_ name: String) throws(BadEscape) -> String? {
    guard let value = first(name)?.value else { return nil }
    guard let text = SealedURL.decode(value, plusIsSpace: true) else { throw BadEscape(name: name) }
    return text
  }

  /// The decoded value for display; `nil` if the query has no such parameter. Bytes that are not UTF-8, and NULs, become U+FFFD; an invalid
  /// escape is returned unchanged.
  func displayedValue(_ name: String) -> String? {
    first(name)?.value.map { value in
      String(decoding: PercentCoding.bytes(value, plusIsSpace: true).bytes, as: UTF8.self).replacingNULs
    }
  }

  private func first(_ name: String) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?)? {
    items.first { PercentCoding.bytes($0.name, plusIsSpace: true).bytes.elementsEqual(name.utf8) }
  }
}

/// The error of a query parameter whose value is not percent-encoded UTF-8.
struct BadEscape: Error {
  /// The name of the query parameter.
  let name: String

  /// The refusal of the URL that contains the parameter.
  var refusal: Refusal {
    Refusal(
      .invalid, "the URL has an invalid escape in \(name)",
      faults: [.init(pointer: "/url", detail: "\(name) must be percent-encoded UTF-8")])
  }
}

extension String {
  fileprivate var replacingNULs: String {
    guard utf8.contains(0) else { return self }
    var text = ""
    for scalar in unicodeScalars { text.unicodeScalars.append(scalar == "\0" ? "\u{FFFD}" : scalar) }
    return text
  }
}
