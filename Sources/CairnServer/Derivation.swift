import CairnCrypto
import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

/// Keyed hashes of text that clients send, such as idempotency keys. The text is not stored, and cannot be guessed from a hash without the
/// service's key. Ids and secrets use HMAC-SHA-256, fingerprints use SipHash-2-4. Each use has a distinct prefix.
struct Derivation {
  /// The class of callers that creates a session. The same idempotency key leads to different sessions in different classes.
  enum Starter: String { case anyone, `operator` }

  private let hash: HMAC
  /// The keys of the two halves of a fingerprint.
  private let high, low: SipHash.Key

  init(key: [UInt8]) {
    hash = HMAC(key: key)
    high = SipHash.Key(from: key, for: "fingerprint, high")
    low = SipHash.Key(from: key, for: "fingerprint, low")
  }

  /// Returns the hashed idempotency key and the fingerprint of a request on a session. The store adds the session's id, so that each
  /// session has its own keys.
  func request(_ name: IdempotencyKey, _ role: Role, _ request: Request) -> RequestKey {
    RequestKey(name: fingerprint("request", name.text), print: print(role == .operator ? "operator" : "session", request))
  }

  /// Returns the key under which the response to a client's numbered action is stored.
  func numbered(_ client: String, _ number: WideInt) -> Fingerprint { fingerprint("numbered", client, "\(number)") }

  /// Returns the fingerprint of a numbered action and of the role that posts it.
  func numbered(_ action: [UInt8], _ role: Role) -> Fingerprint {
    fingerprint("numbered print", role == .operator ? "operator" : "session", body: action)
  }

  /// Returns the id and the secret of the session that is created with an idempotency key, and the fingerprint of the request. Repeated
  /// requests with the key get the same id and the same secret.
  func session(_ name: IdempotencyKey, by starter: Starter, _ request: Request) -> (id: String, secret: String, print: Fingerprint) {
    let id = code("id", starter.rawValue, name.text)
    let secret = code("secret", starter.rawValue, name.text)
    return (Identity.sessionID(of: id), Identity.secret(of: secret), print(starter.rawValue, request))
  }

  /// Returns the fingerprint of an event of a notification. The arrival of a notification, a tap on it, each of its buttons and each text
  /// of a reply are different events.
  func message(_ id: String, tap: Bool, action: String? = nil, reply: String? = nil) -> Fingerprint {
    guard action != nil || reply != nil else { return fingerprint("message", tap ? "tap" : "shown", id) }
    return fingerprint("message", "used", id, action.map { "action \($0)" } ?? "", reply.map { "reply \($0)" } ?? "")
  }

  /// Returns the fingerprint of a request. The fingerprint covers the JSON value of the body instead of its text, because a client that
  /// encodes the body again may reorder members.
  private func print(_ who: String, _ request: Request) -> Fingerprint {
    let body = (try? JSONText.bytes(JSONBody.read(request.body))) ?? request.body
    return fingerprint("print", who, request.method, request.target, body: body)
  }

  /// Returns a keyed hash of 128 bits over the words and the body, each with its length.
  func fingerprint(_ words: String..., body: [UInt8] = []) -> Fingerprint {
    func half(_ key: SipHash.Key) -> UInt64 {
      var hash = SipHash(key)
      for word in words { hash.combine(word) }
      hash.combine(field: body)
      return hash.finish()
    }
    return Fingerprint(high: half(high), low: half(low))
  }

  /// Returns the HMAC of the words. A zero byte follows each word. No word contains a zero byte, so different lists have different inputs.
  func code(_ words: String...) -> SHA256.Digest {
    var text: [UInt8] = []
    text.reserveCapacity(words.reduce(0) { $0 + $1.utf8.count + 1 })
    for word in words {
      text.append(contentsOf: word.utf8)
      text.append(0)
    }
    return hash.code(text)
  }
}
