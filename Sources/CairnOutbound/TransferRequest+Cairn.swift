import CairnCore
import CairnTransfer
import Foundation

extension TransferRequest {
  /// Creates a request that accepts JSON. `isSecret` is whether a part of the request other than `bearer` is secret. Throws if the address
  /// is not an HTTP or HTTPS URL, or if `bearer` is not a usable token. Also throws if `bearer` or another secret would be sent over plain
  /// HTTP to another machine (RFC 6750, 5.3; RFC 6749, 3.2).
  init(_ method: HTTPMethod, _ address: String, bearer: String?, isSecret: Bool = false) throws(CallFault) {
    guard let url = URL(string: address), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host, !host.isEmpty
    else { throw .address }
    guard !isSecret && bearer == nil || PlainHTTP.mayCarrySecrets(url.absoluteString) else { throw .insecure }
    self.init(method.word, url.absoluteString, headers: ["Accept": "application/json"])
    guard let bearer else { return }
    guard TokenText.fault(of: bearer) == nil else { throw .noToken }
    headers["Authorization"] = "Bearer \(bearer)"
  }

  /// Sets a header, and removes headers with the same name in different case.
  mutating func set(_ name: String, _ value: String) {
    for known in headers.keys where known.lowercased() == name.lowercased() { headers[known] = nil }
    headers[name] = value
  }
}
