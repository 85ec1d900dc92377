import CairnAPI
import CairnHTTP
import CairnStore
import Crypto

/// Keyed hashes of clients' words, so that neither the words nor a value they could be guessed from is stored: ids and
/// secrets with HMAC-SHA-256, fingerprints with SipHash-2-4. Each use has a name of its own in front.
struct Derivation {
  /// Who starts a session: a key of one class says nothing to the other.
  enum Starter: String { case anyone, `operator` }

  /// SHA-256 behind the key's block, of the inner and of the outer hash (RFC 2104, 2): what each code begins with.
  private let inner, outer: SHA256
  /// Of the two halves of a fingerprint.
  private let high, low: SipHash.Key

  init(key: [UInt8]) {
    var block = key.count > SHA256.blockByteCount ? Array(SHA256.hash(data: key)) : key
    block += repeatElement(0, count: SHA256.blockByteCount - block.count)
    inner = Self.behind(block.map { $0 ^ 0x36 })
    outer = Self.behind(block.map { $0 ^ 0x5C })
    high = SipHash.Key(from: key, for: "fingerprint, high")
    low = SipHash.Key(from: key, for: "fingerprint, low")
  }

  private static func behind(_ block: [UInt8]) -> SHA256 {
    var hash = SHA256()
    block.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return hash
  }

  /// The identity of an action, a link or a notification under a key. Its scope is the session, which the store adds.
  func request(_ name: IdempotencyKey, _ role: Role, _ request: Request) -> RequestKey {
    RequestKey(name: fingerprint("request", name.text), print: print(role == .operator ? "operator" : "session", request))
  }

  /// The id and the secret of the session that is started under a key, and what the request is known by.
  func session(_ name: IdempotencyKey, by starter: Starter, _ request: Request) -> (id: String, secret: String, print: Fingerprint) {
    let id = code("id", starter.rawValue, name.text)
    let secret = code("secret", starter.rawValue, name.text)
    return (Identity.sessionID(of: id), Identity.secret(of: secret), print(starter.rawValue, request))
  }

  /// The fingerprint of a message. Showing it and tapping it have different ones.
  func message(_ id: String, tap: Bool) -> Fingerprint { fingerprint("message", tap ? "tap" : "shown", id) }

  /// Of a body the JSON value counts, not its text: a client that encodes it again may reorder its members.
  private func print(_ who: String, _ request: Request) -> Fingerprint {
    let body = (try? JSONText.bytes(JSONBody.read(request.body))) ?? request.body
    return fingerprint("print", who, request.method, request.target, body: body)
  }

  /// 128 bits of a keyed hash of the words and the body, each with its length.
  func fingerprint(_ words: String..., body: [UInt8] = []) -> Fingerprint {
    func half(_ key: SipHash.Key) -> UInt64 {
      var hash = SipHash(key)
      for word in words { hash.combine(word) }
      hash.combine(field: body)
      return hash.finish()
    }
    return Fingerprint(high: half(high), low: half(low))
  }

  /// The HMAC of the words. No word holds a zero byte, so no two lists of them read alike.
  func code(_ words: String...) -> SHA256Digest {
    var text: [UInt8] = []
    text.reserveCapacity(words.reduce(0) { $0 + $1.utf8.count + 1 })
    for word in words {
      text.append(contentsOf: word.utf8)
      text.append(0)
    }
    var (inner, outer) = (inner, outer)
    text.withUnsafeBytes { inner.update(bufferPointer: $0) }
    inner.finalize().withUnsafeBytes { outer.update(bufferPointer: $0) }
    return outer.finalize()
  }
}
