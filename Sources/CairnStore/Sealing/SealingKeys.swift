import CairnCore
import CairnCrypto
import CairnRuntime

/// The HPKE keys for which clients seal the values of secret params while actions wait for a network. Each key belongs to a period of time
/// and is derived from a secret of the journal, so all nodes have the same keys, and none is stored. Thread-safe.
final class SealingKeys: Sendable {
  /// The time for which a key is published, in milliseconds. It equals the time for which a client uses a key that it has read, and the
  /// time for which an action waits in a client.
  static let period = Definition.usualOfflineFor
  /// The periods whose keys open values, relative to the present one. A value may be sealed one period after its key was published, and may
  /// then wait for one period. The next key may already be published by a node whose clock is ahead.
  private static let valid = -2...1
  /// The number of characters of a key's text that are the key's id.
  private static let idLength = 16
  /// The work of opening a value, in the meter's units. It takes about 0.1 ms.
  private static let work = 1_000
  /// The HPKE parameter `info`, which separates these messages from those of other uses of HPKE.
  private static let info = Array("cairn secret param".utf8)

  /// A key with its public key in base64url.
  private struct Key {
    let key: HPKE.PrivateKey
    let text: String
  }

  private let hash: HMAC
  /// The keys that have been derived, by their periods.
  private let derived = Lock<[Int: Key]>([:])

  /// Creates the keys. `key` is a secret of the service that never changes.
  init(key: [UInt8]) { hash = HMAC(key: key) }

  /// The public key that is published at a time, in base64url.
  func publicKey(at now: Int) -> String { key(of: now / Self.period).text }

  private func key(of period: Int) -> Key {
    derived.withLock { derived in
      if let key = derived[period] { return key }
      let pair = HPKE.PrivateKey(derivedFrom: Array(hash.code(Array("sealing key \(period)".utf8))))
      let key = Key(key: pair, text: Base64URL.text(of: pair.publicKey))
      if derived.count > Self.valid.count { derived = [:] }
      derived[period] = key
      return key
    }
  }

  /// Returns the command with its sealed values replaced by their texts. Throws if a value cannot be opened, or if the values need too much
  /// work.
  ///
  /// A value is bound to the session, so an attacker who can read a device's storage cannot use it in another session. Values that are not secret by the
  /// definition are never opened, because the session would show them.
  func opened(
    _ command: Command, in session: String, by definition: Definition, at now: Int, meter: inout Meter
  ) throws(Refusal) -> Command {
    guard case .action(.step(let step, let from)) = command, let types = definition.steps.value(exactly: step.step)?.params,
      types.contains(where: { $0.value.isSecret })
    else { return command }
    var params = step.params
    var faults: [Refusal.Fault] = []
    var code = Refusal.Code.invalid
    for (name, value) in step.params.sortedByKey where types.value(exactly: name)?.isSecret == true {
      guard let (id, box) = Self.parts(of: value) else { continue }
      let pointer = "/params/\(name.pointerEscaped)"
      guard let key = key(named: id, at: now) else {
        code = .sealedKeyGone
        faults.append(.init(pointer: "\(pointer)/key", detail: "is not the id of a key that the service still has"))
        continue
      }
      try meter.work(Self.work, nodes: 0)
      let clear = Base64URL.bytes(of: box).flatMap { key.open($0, info: Self.info, authenticating: Array(session.utf8)) }
      if let text = clear.flatMap({ String(validating: $0, as: UTF8.self) }) {
        params[name] = .string(text)
      } else {
        faults.append(.init(pointer: "\(pointer)/sealed", detail: "is damaged, or was sealed for another session"))
      }
    }
    guard faults.isEmpty else { throw Refusal(code, "a sealed value cannot be opened", faults: faults) }
    return .action(.step(Step(step.step, params: params), from: from))
  }

  /// The id of the key and the box of a sealed value; `nil` for any other value.
  private static func parts(of value: Value) -> (key: String, box: String)? {
    guard case .object(let members) = value, members.count == 2, case .string(let key)? = members.value(exactly: "key"),
      case .string(let box)? = members.value(exactly: "sealed")
    else { return nil }
    return (key, box)
  }

  /// The key with this id; `nil` if no key that is valid at this time has the id.
  private func key(named id: String, at now: Int) -> HPKE.PrivateKey? {
    let periods = Self.valid.map { now / Self.period + $0 }
    return periods.lazy.map { self.key(of: $0) }.first { $0.text.prefix(Self.idLength) == id }?.key
  }
}
