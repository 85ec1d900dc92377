/// An HTTP request.
package struct TransferRequest: Hashable, Sendable {
  /// The method, such as `GET`; a token (RFC 9110, 5.6.2).
  package var method: String
  /// The percent-encoded URL with the scheme http or https.
  package var url: String
  /// The headers by name. A value contains no control characters except tabs.
  package var headers: [String: String]
  /// The body; `nil` if the request has none.
  package var body: [UInt8]?

  /// Creates a request.
  package init(_ method: String, _ url: String, headers: [String: String] = [:], body: [UInt8]? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// The fault of an invalid request; `nil` if the request can be sent. Header values with control characters are invalid, because a line
  /// break would begin another header.
  var fault: TransferFault? {
    guard let scheme = url.firstIndex(of: ":"), ["http", "https"].contains(url[..<scheme].lowercased()),
      url[scheme...].hasPrefix("://"), let host = url[scheme...].dropFirst(3).first, !"/?#".contains(host),
      !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
    else { return .address }
    guard Self.isToken(method) else { return .unsendable("method") }
    for (name, value) in headers {
      let isText = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
      guard Self.isToken(name), isText else { return .unsendable("header") }
    }
    return nil
  }

  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#"()<>@,;:\"/[]?={}"#.utf8.contains($0) }
  }
}
