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
