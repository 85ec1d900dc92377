import CairnCore
import CairnTransfer
import Foundation

extension TransferRequest {
  /// A request that asks for JSON. An absent or empty `bearer` is not sent; one that no header can hold is refused. Neither it nor
  /// what else `isSecret` goes over plain http, but to this machine (RFC 6750, 5.3; RFC 6749, 3.2).
  init(_ method: HTTPMethod, _ address: String, bearer: String?, isSecret: Bool = false) throws(CallFault) {
    guard let url = URL(string: address), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host, !host.isEmpty
    else { throw .address }
    guard !isSecret && (bearer ?? "").isEmpty || PlainHTTP.mayCarrySecrets(url.absoluteString) else { throw .insecure }
    self.init(method.word, url.absoluteString, headers: ["Accept": "application/json"])
    guard let bearer, !bearer.isEmpty else { return }
    // RFC 9110, 5.5: visible characters and spaces; a line break would begin another header.
    guard HeaderText.isValue(bearer) else {
      throw .malformed("the token holds characters that a header cannot")
    }
    headers["Authorization"] = "Bearer \(bearer)"
  }

  /// Replaces a header, whose name may be spelled otherwise.
  mutating func set(_ name: String, _ value: String) {
    for known in headers.keys where known.lowercased() == name.lowercased() { headers[known] = nil }
    headers[name] = value
  }
}
