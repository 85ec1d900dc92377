/// HMAC-SHA-256 with one key (RFC 2104).
package struct HMAC: Sendable {
  /// The states of the inner and the outer hash after the key's block. Each code is computed from copies of these states.
  private let inner, outer: SHA256

  package init(key: [UInt8]) {
    var block = key.count > SHA256.blockSize ? Array(SHA256.hash(key)) : key
    block += repeatElement(0, count: SHA256.blockSize - block.count)
    inner = Self.started(with: block.map { $0 ^ 0x36 })
    outer = Self.started(with: block.map { $0 ^ 0x5C })
  }

  private static func started(with block: [UInt8]) -> SHA256 {
    var hash = SHA256()
    hash.update(block)
    return hash
  }

  package func code(_ text: [UInt8]) -> SHA256.Digest {
    var (inner, outer) = (inner, outer)
    inner.update(text)
    inner.digest().withUnsafeBytes { outer.update($0) }
    return outer.digest()
  }
}
