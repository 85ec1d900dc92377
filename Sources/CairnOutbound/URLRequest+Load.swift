import CairnCore
import Crypto
import Foundation
import FoundationNetworking

extension URLRequest {
  /// An attempt of a load. What a variable holds is read now, and is as secret as a token.
  init(_ load: LoadCall, secret: (String) -> String?) throws(CallFault) {
    try self.init(load.method, load.url, bearer: load.bearer, isSecret: !load.variables.isEmpty)
    for (name, value) in load.headers { setValue(value, forHTTPHeaderField: name) }
    for (name, variable) in load.variables {
      guard let value = secret(variable) else { throw .notSet(variable) }
      guard HeaderText.isValue(value) else { throw .malformed("\(variable) holds characters that a header cannot") }
      setValue(value, forHTTPHeaderField: name)
    }
    if let identity = load.identity {
      // The Idempotency-Key Header Field (IETF draft): a string in quotes. A hash, since the session's id is nobody else's business.
      setValue("\"\(Hexadecimal.text(of: SHA256.hash(data: Data(identity.utf8))))\"", forHTTPHeaderField: "Idempotency-Key")
    }
    guard let body = load.body else { return }
    setValue("application/json", forHTTPHeaderField: "Content-Type")
    var writer = JSONWriter()
    body.write(to: &writer)
    do {
      httpBody = Data(try writer.bytes())
    } catch {
      throw .malformed("the body is no JSON")
    }
  }
}
