import CairnAPI
import CairnHTTP
import CairnStore
import Crypto

/// What is made of clients' words with the service's key (HMAC-SHA-256), so that neither the words nor anything they could be guessed by is kept.
/// Each use has a name of its own in front.
struct Derivation {
  /// Who starts a session: a key of one class says nothing to the other.
  enum Starter: String { case anyone, `operator` }

  private let key: SymmetricKey

  init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

  /// What an action, a link or a notification under a key is known by. Its scope is the session, which the store sees to.
  func request(_ name: IdempotencyKey, _ role: Role, _ request: Request) -> RequestKey {
    RequestKey(name: Fingerprint(code("request", name.text)), print: print(role == .operator ? "operator" : "session", request))
  }

  /// The id and the secret of the session that is started under a key, and what the request is known by.
  func session(_ name: IdempotencyKey, by starter: Starter, _ request: Request) -> (id: String, secret: String, print: Fingerprint) {
    let id = code("id", starter.rawValue, name.text)
    let secret = code("secret", starter.rawValue, name.text)
    return (Identity.sessionID(of: id), Identity.secret(of: secret), print(starter.rawValue, request))
  }

  /// What a message is known by. That it was shown and that it was tapped are two things.
  func message(_ id: String, tap: Bool) -> Fingerprint { Fingerprint(code("message", tap ? "tap" : "shown", id)) }

  /// Of a body the JSON counts, not how it was written: a client that encodes it anew may put its members into another order.
  private func print(_ who: String, _ request: Request) -> Fingerprint {
    let body = (try? JSONText.bytes(JSONBody.read(request.body))) ?? request.body
    return Fingerprint(code("print", who, request.method, request.target, body: body))
  }

  /// No word holds a zero byte, so no two lists of them read alike.
  private func code(_ words: String..., body: [UInt8] = []) -> HMAC<SHA256>.MAC {
    var code = HMAC<SHA256>(key: key)
    for word in words { code.update(data: Array(word.utf8) + [0]) }
    code.update(data: body)
    return code.finalize()
  }
}
