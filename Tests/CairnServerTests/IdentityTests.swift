import Testing

@testable import CairnServer

@Suite struct `Ids and secrets` {
  @Test func `ids and secrets have their length, consist of base64url characters, and are unique`() {
    let nonces = Set((0..<1_000).map { _ in Identity.nonce() })
    #expect(nonces.count == 1_000)
    #expect(nonces.allSatisfy { $0.utf8.count == 22 && $0.utf8.allSatisfy(Self.isLetter) })
    let secrets = Set((0..<100).map { _ in Identity.secret() })
    #expect(secrets.count == 100)
    #expect(secrets.allSatisfy { Array($0.utf8).withUnsafeBytes(Identity.isSecret) && $0.utf8.allSatisfy(Self.isLetter) })
    #expect((0..<100).allSatisfy { _ in Array(Identity.sessionID().utf8).withUnsafeBytes(Identity.isSessionID) })
  }

  @Test func `every value of a character occurs`() {
    // Each of the 64 characters is absent from 4,000 random ones with a probability of 10^-27.
    let letters = (0..<200).reduce(into: Set<UInt8>()) { set, _ in set.formUnion(Identity.nonce().utf8.prefix(20)) }
    #expect(letters.count == 64)
  }

  @Test func `random bytes are handed out only once`() {
    var bytes = RandomBytes()
    let taken = (0..<100).map { _ in bytes.take(16) { Array($0) } }
    #expect(Set(taken).count == 100)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
  }
}
