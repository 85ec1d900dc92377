/// The origins whose pages may call this service (Fetch, CORS protocol). Each origin is listed exactly; there is no wildcard.
package struct AllowedOrigins: Sendable, Equatable {
  private let names: Set<String>

  /// Creates a list that allows no cross-origin requests.
  package init() { names = [] }

  /// Parses origins separated by commas or blanks. Each origin is written as browsers send it: `https://app.example`, with a port only if
  /// the port is not the default of the scheme. Returns `nil` if an origin is invalid. `*` and `null` are invalid, because they identify no
  /// origin.
  package init?(_ text: String) {
    var names: Set<String> = []
    for part in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
      guard Self.isOrigin(part) else { return nil }
      names.insert(String(part))
    }
    self.names = names
  }

  /// Whether no origin is allowed.
  package var isEmpty: Bool { names.isEmpty }

  /// Whether pages of this origin may call the service.
  func contain(_ origin: String) -> Bool { names.contains(origin) }

  /// Whether `text` is `scheme://host` or `scheme://host:port`, in lower case and without a default port. Browsers send no other form.
  private static func isOrigin(_ text: Substring) -> Bool {
    guard let separator = text.firstRange(of: "://") else { return false }
    let scheme = text[..<separator.lowerBound]
    let place = text[separator.upperBound...]
    guard let first = scheme.utf8.first, isLetter(first),
      scheme.utf8.allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) })
    else { return false }
    let closing = place.firstIndex(of: "]")
    if place.hasPrefix("[") != (closing != nil) { return false }
    let colon = place[(closing ?? place.startIndex)...].firstIndex(of: ":")
    let host = place[..<(colon ?? place.endIndex)]
    guard !host.isEmpty, host.utf8.allSatisfy({ isLetter($0) || isDigit($0) || "-._[]:".utf8.contains($0) }) else { return false }
    guard let colon else { return true }
    let digits = place[place.index(after: colon)...]
    guard let port = UInt16(digits), digits == "\(port)" else { return false }
    return !(scheme == "http" && port == 80) && !(scheme == "https" && port == 443)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
