import CairnCrypto
import CairnCore
import CairnStore
import CairnTransfer
import Foundation

extension TransferRequest {
  /// Creates the request of one attempt of a load. Reads the values of the environment variables at the time of the call, and treats them
  /// as secrets. Throws if a variable is not set, or if a value cannot be sent.
  init(_ load: LoadCall, secret: (String) -> String?) throws(CallFault) {
    try self.init(load.method, load.url, bearer: load.bearer, isSecret: !load.variables.isEmpty || load.hasSecretParams)
    for (name, value) in load.headers {
      // Only the text of a secret param has not been validated before. The reason does not contain this text.
      guard HeaderText.isValue(value) else { throw .malformed("the header \(name) contains characters that are not allowed in a header") }
      set(name, value)
    }
    for (name, variable) in load.variables {
      guard let value = secret(variable) else { throw .notSet(variable) }
      guard HeaderText.isValue(value) else { throw .malformed("\(variable) contains characters that are not allowed in a header") }
      set(name, value)
    }
    if let identity = load.identity {
      // The Idempotency-Key Header Field (IETF draft) is a string in quotes. Sending a hash hides the session's id from the upstream
      // server.
      set("Idempotency-Key", "\"\(Hexadecimal.text(of: SHA256.hash(identity)))\"")
    }
    guard let value = load.body else { return }
    set("Content-Type", "application/json")
    var writer = JSONWriter()
    value.write(to: &writer)
    do {
      self.body = try writer.bytes()
    } catch {
      throw .malformed("the request's body contains a number that JSON cannot represent")
    }
  }
}
