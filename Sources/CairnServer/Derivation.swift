import CairnAPI
import CairnHTTP
import CairnStore
import Crypto

/// Keyed hashes of client-supplied text, so that the text is not stored. Ids and secrets use HMAC-SHA-256, fingerprints use SipHash-2-4. Each use
/// prefixes a word of its own.
struct Derivation {
  /// The class of caller that creates a session. Keys of one class are unrelated to those of the other.
  enum Starter: String { case anyone, `operator` }

  /// The states of the inner and outer SHA-256 after the key's block (RFC 2104, 2), from which each HMAC starts.
  private let inner, outer: SHA256
  /// The SipHash keys of the two halves of a fingerprint.
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

  /// The identity of an action, link or notification that is posted under a key. The store adds the session, which is its scope.
  func request(_ name: IdempotencyKey, _ role: Role, _ request: Request) -> RequestKey {
    RequestKey(name: fingerprint("request", name.text), print: print(role == .operator ? "operator" : "session", request))
  }

  /// The id and the secret of a session that is created under a key, and the fingerprint of the request.
  func session(_ name: IdempotencyKey, by starter: Starter, _ request: Request) -> (id: String, secret: String, print: Fingerprint) {
    let id = code("id", starter.rawValue, name.text)
    let secret = code("secret", starter.rawValue, name.text)
    return (Identity.sessionID(of: id), Identity.secret(of: secret), print(starter.rawValue, request))
  }

  /// The fingerprint of a message. Receiving a message and tapping it have different fingerprints.
  func message(_ id: String, tap: Bool) -> Fingerprint { fingerprint("message", tap ? "tap" : "shown", id) }

  /// The fingerprint of a request. JSON bodies are compared by value, because a client that encodes the body again may reorder members.
  private func print(_ who: String, _ request: Request) -> Fingerprint {
    let body = (try? JSONText.bytes(JSONBody.read(request.body))) ?? request.body
    return fingerprint("print", who, request.method, request.target, body: body)
  }

  /// A keyed 128-bit hash of the words and the body, each with its length.
  func fingerprint(_ words: String..., body: [UInt8] = []) -> Fingerprint {
    func half(_ key: SipHash.Key) -> UInt64 {
      var hash = SipHash(key)
      for word in words { hash.combine(word) }
      hash.combine(field: body)
      return hash.finish()
    }
    return Fingerprint(high: half(high), low: half(low))
  }

  /// The HMAC of the words. Words contain no zero byte, so two different lists have different input.
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
