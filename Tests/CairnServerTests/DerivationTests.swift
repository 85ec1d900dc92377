import CairnCrypto
import CairnJournal
import Testing

@testable import CairnServer

@Suite struct `Derivation of ids and secrets` {
  @Test func `the code is the HMAC-SHA-256 of the words, each followed by a zero byte`() {
    let key = Array<UInt8>(1...32)
    #expect(Derivation(key: key).code("name", "grüße") == HMAC(key: key).code(Array("name\u{0}grüße\u{0}".utf8)))
  }

  @Test func `the fingerprint changes with each byte, each border between words and each key`() {
    let derivation = Derivation(key: Array(0..<32))
    let made = [
      derivation.fingerprint("request", "name"), derivation.fingerprint("request", "namf"), derivation.fingerprint("requestn", "ame"),
      derivation.fingerprint("request", "name", ""), derivation.fingerprint("request", "name", body: [0]),
      derivation.fingerprint("request", "name", body: [0, 0]), derivation.fingerprint("request", "", body: Array("name".utf8)),
      derivation.message("m", tap: true), derivation.message("m", tap: false), derivation.message("m", tap: true, action: "a"),
      derivation.message("m", tap: true, reply: "a"), derivation.message("m", tap: true, action: "a", reply: ""),
      derivation.message("m", tap: true, action: "", reply: "a"), derivation.message("m", tap: true, reply: ""),
      Derivation(key: Array(1..<33)).fingerprint("request", "name"),
    ]
    #expect(Set(made).count == made.count)
    #expect(Set(made.map { $0.bytes.prefix(8) }).count == made.count && Set(made.map { $0.bytes.suffix(8) }).count == made.count)
    #expect(derivation.fingerprint("request", "name") == made[0])
  }

  @Test func `a fingerprint is restored from its bytes`() {
    let fingerprint = Fingerprint(high: 0xFEDC_BA98_7654_3210, low: 0x0123_4567_89AB_CDEF)
    #expect(fingerprint.bytes == [0xFE, 0xDC, 0xBA, 0x98, 0x76, 0x54, 0x32, 0x10, 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF])
    #expect(Fingerprint(fingerprint.bytes) == fingerprint)
  }
}
