import CairnCore
import CairnTransfer
import Foundation

extension TransferRequest {
  /// Creates a request that accepts JSON. A missing or empty `bearer` is not sent. Throws if `bearer` contains characters that a header
  /// cannot contain. Throws if a secret (`bearer`, or a request with `isSecret`) would be sent over plain HTTP to another machine (RFC
  /// 6750, 5.3; RFC 6749, 3.2).
  init(_ method: HTTPMethod, _ address: String, bearer: String?, isSecret: Bool = false) throws(CallFault) {
    guard let url = URL(string: address), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host, !host.isEmpty
    else { throw .address }
    guard !isSecret && (bearer ?? "").isEmpty || PlainHTTP.mayCarrySecrets(url.absoluteString) else { throw .insecure }
    self.init(method.word, url.absoluteString, headers: ["Accept": "application/json"])
    guard let bearer, !bearer.isEmpty else { return }
    // Only visible characters and spaces are allowed (RFC 9110, 5.5). A line break would begin another header.
    guard HeaderText.isValue(bearer) else {
      throw .malformed("the token holds characters that a header cannot")
    }
    headers["Authorization"] = "Bearer \(bearer)"
  }

  /// Sets a header, and removes others with the same name in different case.
  mutating func set(_ name: String, _ value: String) {
    for known in headers.keys where known.lowercased() == name.lowercased() { headers[known] = nil }
    headers[name] = value
  }
}
