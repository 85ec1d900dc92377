/// A request as it is sent.
package struct TransferRequest: Hashable, Sendable {
  /// A token (RFC 9110, 5.6.2), as `GET`.
  package var method: String
  /// Of http or https, percent-encoded.
  package var url: String
  /// By name. A value holds no control character.
  package var headers: [String: String]
  /// `nil`: the request has no body.
  package var body: [UInt8]?

  /// A request with the given parts.
  package init(_ method: String, _ url: String, headers: [String: String] = [:], body: [UInt8]? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// Why the request cannot be sent; `nil`: it can. A line break in a value would begin another header.
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
