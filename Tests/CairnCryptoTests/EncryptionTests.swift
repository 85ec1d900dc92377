import Testing

@testable import CairnCrypto

@Suite struct `AES-256-GCM` {
  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
  }

  /// Test cases 13 to 16 of "The Galois/Counter Mode of Operation", to which NIST refers: key, nonce, text, additional authenticated data; ciphertext and tag.
  @Test(arguments: [
    [
      "0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000", "", "",
      "530f8afbc74536b9a963b4f1c4cb738b",
    ],
    [
      "0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000",
      "00000000000000000000000000000000", "", "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919",
    ],
    [
      "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
      "",
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015adb094dac5d93471bdec1a502270e3cc6c",
    ],
    [
      "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
      "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b",
    ],
  ]) func `has the published values`(row: [String]) {
    let fields = row.map(Self.bytes)
    let cipher = AESGCM(key: fields[0])
    let box = cipher.seal(fields[2], authenticating: fields[3], nonce: fields[1])
    #expect(box == fields[1] + fields[4])
    #expect(cipher.open(box, authenticating: fields[3]) == fields[2])
  }

  @Test func `opens nothing of another key or purpose, and nothing that was changed or cut`() {
    let cipher = AESGCM(key: Array(0..<32))
    let (text, purpose) = (Array("the token".utf8), Array("s1/token".utf8))
    let box = cipher.seal(text, authenticating: purpose)
    #expect(box.count == text.count + AESGCM.nonceSize + AESGCM.tagSize && cipher.open(box, authenticating: purpose) == text)
    #expect(
      AESGCM(key: Array(1..<33)).open(box, authenticating: purpose) == nil && AESGCM().open(box, authenticating: purpose) == nil)
    #expect(cipher.open(box, authenticating: Array("s2/token".utf8)) == nil && cipher.open(box, authenticating: []) == nil)
    for place in box.indices {
      var changed = box
      changed[place] ^= 1
      #expect(cipher.open(changed, authenticating: purpose) == nil, "byte \(place)")
      #expect(cipher.open(Array(box[..<place]), authenticating: purpose) == nil, "the first \(place) bytes")
    }
  }

  @Test func `never uses a nonce again`() {
    let cipher = AESGCM(key: Array(0..<32))
    let boxes = (0..<1_000).map { _ in cipher.seal([], authenticating: []) }
    #expect(Set(boxes).count == boxes.count)
  }
}
