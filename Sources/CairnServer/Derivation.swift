import CairnAPI
import CairnHTTP
import CairnStore
import Crypto

/// Values derived from clients' texts with the service's key (HMAC-SHA-256), so that neither the texts nor anything that would allow
/// guesses is stored. Each use has a prefix of its own.
struct Derivation {
  /// Who starts a session: a key of one class says nothing to the other.
  enum Starter: String { case anyone, `operator` }

  /// SHA-256 behind the key's block, of the inner and of the outer hash (RFC 2104, 2): what each code begins with.
  private let inner, outer: SHA256

  init(key: [UInt8]) {
    var block = key.count > SHA256.blockByteCount ? Array(SHA256.hash(data: key)) : key
    block += repeatElement(0, count: SHA256.blockByteCount - block.count)
    inner = Self.behind(block.map { $0 ^ 0x36 })
    outer = Self.behind(block.map { $0 ^ 0x5C })
  }

  private static func behind(_ block: [UInt8]) -> SHA256 {
    var hash = SHA256()
    block.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return hash
  }

  /// The identity of an action, a link or a notification under a key. Its scope is the session, which the store adds.
  func request(_ name: IdempotencyKey, _ role: Role, _ request: Request) -> RequestKey {
    RequestKey(name: Self.fingerprint(code("request", name.text)), print: print(role == .operator ? "operator" : "session", request))
  }

  /// The id and the secret of the session that is started under a key, and what the request is known by.
  func session(_ name: IdempotencyKey, by starter: Starter, _ request: Request) -> (id: String, secret: String, print: Fingerprint) {
    let id = code("id", starter.rawValue, name.text)
    let secret = code("secret", starter.rawValue, name.text)
    return (Identity.sessionID(of: id), Identity.secret(of: secret), print(starter.rawValue, request))
  }

  /// The identity of a notification. Its arrival and a tap on it are two things.
  func message(_ id: String, tap: Bool) -> Fingerprint { Self.fingerprint(code("message", tap ? "tap" : "shown", id)) }

  /// Of a body the JSON value counts, not its text: a client that encodes it again may reorder its members.
  private func print(_ who: String, _ request: Request) -> Fingerprint {
    let body = (try? JSONText.bytes(JSONBody.read(request.body))) ?? request.body
    return Self.fingerprint(code("print", who, request.method, request.target, body: body))
  }

  private static func fingerprint(_ code: SHA256Digest) -> Fingerprint { code.withUnsafeBytes { Fingerprint($0) } }

  /// The HMAC of the words and the body. No word holds a zero byte, so no two lists of them read alike.
  func code(_ words: String..., body: [UInt8] = []) -> SHA256Digest {
    var text: [UInt8] = []
    text.reserveCapacity(words.reduce(body.count) { $0 + $1.utf8.count + 1 })
    for word in words {
      text.append(contentsOf: word.utf8)
      text.append(0)
    }
    text.append(contentsOf: body)
    var (inner, outer) = (inner, outer)
    text.withUnsafeBytes { inner.update(bufferPointer: $0) }
    inner.finalize().withUnsafeBytes { outer.update(bufferPointer: $0) }
    return outer.finalize()
  }
}
