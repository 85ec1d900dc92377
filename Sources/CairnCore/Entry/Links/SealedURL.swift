/// The form of a secret in the stored text of a URL: `…` and the secret's number, as in `https://example.com/trips/…513`. A URL from
/// outside cannot have this form: a valid URL contains no `…` (RFC 3986, 2), and `escaped` encodes each `…` in an invalid one.
package enum SealedURL {
  /// The UTF-8 of `…`.
  private static let mark: [UInt8] = [0xE2, 0x80, 0xA6]

  /// Decodes one part of a URL. A secret becomes a NUL and its number: no other decoded part contains a NUL. Returns `nil` for an invalid escape,
  /// a NUL, or bytes that are not UTF-8.
  static func decode(_ part: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String? {
    #if !CLIENT_ENGINE
      if part.first == mark[0], part.starts(with: mark) {
        let digits = part.dropFirst(mark.count)
        if number(digits) != nil { return "\0" + String(decoding: digits, as: UTF8.self) }
      }
    #endif
    return PercentCoding.decode(part, plusIsSpace: plusIsSpace)
  }

  /// The URL as people read it: `…` stands for each secret, without the secret's number.
  package static func shown(_ url: String) -> String {
    #if CLIENT_ENGINE
      return url
    #else
      return replacingSecrets(in: url, by: String(decoding: mark, as: UTF8.self))
    #endif
  }

  #if !CLIENT_ENGINE
    /// The stored form of the secret with this number.
    static func text(of number: WideInt) -> String { String(decoding: mark, as: UTF8.self) + String(number) }

    /// A URL from outside with each `…` percent-encoded, so that no part has the form of a secret.
    package static func escaped(_ url: String) -> String {
      guard url.utf8.contains(mark[0]) else { return url }
      let encoded = PercentCoding.encode(String(decoding: mark, as: UTF8.self)).utf8
      var rest = Array(url.utf8)[...]
      var escaped: [UInt8] = []
      while let byte = rest.first {
        if rest.starts(with: mark) {
          escaped += encoded
          rest = rest.dropFirst(mark.count)
        } else {
          escaped.append(byte)
          rest = rest.dropFirst()
        }
      }
      return String(decoding: escaped, as: UTF8.self)
    }

    /// The URL with a text instead of each secret.
    package static func replacingSecrets(in url: String, by text: String) -> String {
      let found = secrets(in: url)
      guard !found.isEmpty else { return url }
      let bytes = Array(url.utf8)
      var replaced: [UInt8] = []
      var next = 0
      for secret in found {
        replaced += bytes[next..<secret.place.lowerBound]
        replaced += text.utf8
        next = secret.place.upperBound
      }
      return String(decoding: replaced + bytes[next...], as: UTF8.self)
    }

    /// The numbers of the secrets in a stored URL.
    static func numbers(in url: String) -> [WideInt] { secrets(in: url).map { $0.number } }

    /// The numbers of the secrets in a stored URL, and their places among its bytes. A secret is a whole path segment or a whole value of the query.
    private static func secrets(in url: String) -> [(number: WideInt, place: Range<Int>)] {
      guard url.utf8.contains(mark[0]) else { return [] }
      let bytes = Array(url.utf8)
      var found: [(number: WideInt, place: Range<Int>)] = []
      var place = 0
      for part in bytes.split(omittingEmptySubsequences: false, whereSeparator: { "/?&=".utf8.contains($0) }) {
        defer { place = part.endIndex + 1 }
        guard place > 0, part.starts(with: mark), let number = number(part.dropFirst(mark.count)) else { continue }
        found.append((number, part.startIndex..<part.endIndex))
      }
      return found
    }

    /// The number with these digits; `nil` for other bytes.
    private static func number(_ digits: ArraySlice<UInt8>) -> WideInt? {
      guard digits.count <= 19, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
        let number = WideInt(String(decoding: digits, as: UTF8.self)), (1...State.highestNumber).contains(number)
      else { return nil }
      return number
    }
  #endif
}

extension Value {
  /// The value of a link's capture: a text or, if `SealedURL.decode` has found a secret, the secret.
  package init(capture text: String) {
    #if !CLIENT_ENGINE
      if text.utf8.first == 0, let number = WideInt(String(decoding: text.utf8.dropFirst(), as: UTF8.self)) {
        self = .sealed(number)
        return
      }
    #endif
    self = .string(text)
  }

  var isString: Bool { if case .string = self { true } else { false } }

  #if !CLIENT_ENGINE
    /// The value of an action's member as people read it: URLs have `…` instead of their secrets.
    package var withShownURLs: Value {
      switch self {
      case .string(let text): .string(SealedURL.shown(text))
      case .object(let members): .object(members.mapValues { $0.withShownURLs })
      case .null, .bool, .integer, .number, .array, .sealed: self
      }
    }
  #endif
}
