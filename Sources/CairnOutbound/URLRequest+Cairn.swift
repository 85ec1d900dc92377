import Foundation
import FoundationNetworking

extension URLRequest {
  enum Method: String { case get = "GET", post = "POST" }

  /// A request that asks for JSON. An absent or empty `bearer` is not sent; one that no header can hold is refused.
  init(_ method: Method, _ address: String, bearer: String?) throws(CallFault) {
    guard let url = URL(string: address), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host, !host.isEmpty
    else { throw .unreachable("not an address of http or https") }
    self.init(url: url)
    httpMethod = method.rawValue
    setValue("application/json", forHTTPHeaderField: "Accept")
    guard let bearer, !bearer.isEmpty else { return }
    // RFC 9110, 5.5: visible characters and spaces; a line break would begin another header.
    guard bearer.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw .malformed("the token holds characters that a header cannot")
    }
    setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization")
  }
}

extension String {
  /// Percent-encoded but for RFC 3986's unreserved characters: right in a query and in a form.
  var percentEncoded: String {
    utf8.reduce(into: "") { text, byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        text += byte < 16 ? "%0\(hex)" : "%\(hex)"
      }
    }
  }
}
