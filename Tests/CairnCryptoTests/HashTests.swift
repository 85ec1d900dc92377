import Testing

@testable import CairnCrypto

private func hex(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

@Suite struct `SHA-256` {
  /// The examples of NIST for FIPS 180-4, and the empty text.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ]) func `has the published values, in one piece and in several`(text: String, expected: String) {
    #expect(hex(SHA256.hash(text)) == expected && hex(SHA256.hash(Array(text.utf8))) == expected)
    var hash = SHA256()
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: 63) { hash.update(Array(bytes[start..<min(start + 63, bytes.count)])) }
    #expect(hex(hash.digest()) == expected)
  }

  @Test func `copies of a hash in progress are independent`() {
    var first = SHA256()
    first.update(Array("ab".utf8))
    var second = first
    second.update(Array("x".utf8))
    first.update(Array("c".utf8))
    #expect(first.digest() == SHA256.hash("abc") && second.digest() == SHA256.hash("abx"))
  }

  @Test func `hashes of several threads at once are right`() async {
    let expected = (0..<8).map { SHA256.hash("text \($0)") }
    await withTaskGroup(of: Bool.self) { group in
      for place in expected.indices {
        group.addTask { (0..<2_000).allSatisfy { _ in SHA256.hash("text \(place)") == expected[place] } }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func `a digest equals its own bytes only`() {
    let digest = SHA256.hash("abc")
    var bytes = Array(digest)
    #expect(digest.isEqual(to: bytes) && bytes.count == 32)
    bytes[31] ^= 1
    #expect(!digest.isEqual(to: bytes) && !digest.isEqual(to: Array(bytes.dropLast())) && !digest.isEqual(to: []))
  }
}

@Suite struct `HMAC-SHA-256` {
  /// The test cases 1, 2, 3, 4, 6 and 7 of RFC 4231. Case 5 tests a truncated code.
  @Test(arguments: [
    ([UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      Array(0x01...0x19), [UInt8](repeating: 0xCD, count: 50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      Array(
        "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm."
          .utf8),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ]) func `has the values of RFC 4231, also a second time`(key: [UInt8], text: [UInt8], expected: String) {
    let hash = HMAC(key: key)
    #expect(hex(hash.code(text)) == expected && hex(hash.code(text)) == expected)
  }
}
