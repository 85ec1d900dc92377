import CairnAPI
import CairnCore
import CairnRuntime
import CairnStore
import Crypto

/// The documents that are served, each made when it is asked for the first time. Any thread.
final class Documents: Sendable {
  private let version: String
  /// By app; the service's own has no name.
  private let made = Lock<[String: Written]>([:])

  init(version: String) { self.version = version }

  /// A document as it is sent.
  struct Written: Sendable {
    let value: Value
    let bytes: [UInt8]
    /// What it is known by: of its bytes.
    let tag: String
    /// Of the definition that it tells of.
    let hash: String

    fileprivate init(_ document: Document, hash: String) {
      value = document.value
      // A document holds no number that JSON has not.
      bytes = (try? JSONText.bytes(document.value)) ?? []
      tag = String(Hexadecimal.text(of: SHA256.hash(data: bytes)).prefix(32))
      self.hash = hash
    }
  }

  /// Of the service, whatever its apps.
  var general: Written { written("", hash: "") { Document(version: version) } }

  /// With what an app has.
  func document(of app: PinnedDefinition) -> Written {
    written(app.definition.app, hash: app.hash) { Document(version: version, app: AppSchemas(app.definition, hash: app.hash)) }
  }

  private func written(_ name: String, hash: String, _ make: () -> Document) -> Written {
    if let known = made.withLock({ $0[name] }), known.hash == hash { return known }
    let new = Written(make(), hash: hash)
    made.withLock { $0[name] = new }
    return new
  }
}
