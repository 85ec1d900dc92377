import CairnStore
import Crypto
import Testing

@testable import CairnServer

@Suite struct `Values derived from clients' texts` {
  @Test(arguments: [0, 1, 32, 63, 64, 65, 200]) func `is the HMAC-SHA-256 of the words, a zero byte behind each, and of the body`(
    keyLength: Int
  ) {
    let key = (0..<keyLength).map { UInt8(truncatingIfNeeded: 7 * $0 + 1) }
    let text = Array("name\u{0}grüße\u{0}".utf8) + [0, 1, 255]
    let expected = Array(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: key)))
    let derivation = Derivation(key: key)
    #expect(Array(derivation.code("name", "grüße", body: [0, 1, 255])) == expected)
    // The derivation's prefix state is not changed by a use.
    #expect(Array(derivation.code("name", "grüße", body: [0, 1, 255])) == expected)
    #expect(derivation.message("m", tap: true) != derivation.message("m", tap: false))
  }

  @Test func `bytes side by side give the fingerprint that a sequence gives`() {
    let bytes = (0..<32).map { UInt8(truncatingIfNeeded: 37 * $0 + 200) }
    #expect(bytes.withUnsafeBytes { Fingerprint($0) } == Fingerprint(AnySequence(bytes)))
    #expect(bytes.withUnsafeBytes { Fingerprint($0) }.bytes == Array(bytes.prefix(16)))
  }
}
