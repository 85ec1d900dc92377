import Testing

@testable import CairnCrypto

/// The vector of RFC 9180, appendix A.3.1: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-128-GCM in base mode, with its first message.
@Suite struct HPKETests {
  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
  }

  private let info = bytes("4f6465206f6e2061204772656369616e2055726e")
  private let purpose = bytes("436f756e742d30")
  private let clear = bytes("4265617574792069732074727574682c20747275746820626561757479")
  private let encapsulated = bytes(
    "04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac98536d7b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18c4")
  private let publicKey = bytes(
    "04fe8c19ce0905191ebc298a9245792531f26f0cece2460639e8bc39cb7f706a826a779b4cf969b8a0e539c7f62fb3d30ad6aa8f80e30f1d128aafd68a2ce72ea0")
  private let box = bytes("5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f9076ac232e3ab2523f39513434")
  private let ephemeral = HPKE.PrivateKey(derivedFrom: bytes("4270e54ffd08d79d5928020af4686d8f6b7d35dbe470265f1f5aa22816ce860e"))
  private let recipient = HPKE.PrivateKey(derivedFrom: bytes("668b37171f1072f3cf12ea8a236a45df23fc13b82af3609ad1e354f6ef817550"))

  @Test func `keys are derived as published`() {
    #expect(ephemeral.publicKey == encapsulated && recipient.publicKey == publicKey)
  }

  @Test func `a message is sealed and opened as published`() {
    #expect(HPKE.seal(clear, for: publicKey, info: info, authenticating: purpose, with: ephemeral) == encapsulated + box)
    #expect(recipient.open(encapsulated + box, info: info, authenticating: purpose) == clear)
  }

  @Test(arguments: [0, 1, 5_000]) func `each message has its own key and is opened again`(count: Int) throws {
    let clear = [UInt8](repeating: 7, count: count)
    let boxes = try (0..<2).map { _ in try #require(HPKE.seal(clear, for: publicKey, info: info, authenticating: purpose)) }
    #expect(boxes[0] != boxes[1] && boxes[0].count == HPKE.publicKeySize + count + AESGCM.tagSize)
    for box in boxes { #expect(recipient.open(box, info: info, authenticating: purpose) == clear) }
  }

  @Test func `opens nothing of another key, info or purpose, and nothing that was changed or cut`() {
    let whole = encapsulated + box
    #expect(ephemeral.open(whole, info: info, authenticating: purpose) == nil)
    #expect(recipient.open(whole, info: [], authenticating: purpose) == nil)
    #expect(recipient.open(whole, info: info, authenticating: []) == nil)
    for place in whole.indices {
      var changed = whole
      changed[place] ^= 1
      #expect(recipient.open(changed, info: info, authenticating: purpose) == nil, "byte \(place)")
      #expect(recipient.open(Array(whole[..<place]), info: info, authenticating: purpose) == nil, "the first \(place) bytes")
    }
  }

  @Test func `a public key must be an uncompressed point of the curve`() {
    let zero = [UInt8](repeating: 0, count: 65)
    // The same point in the compressed and in the hybrid form (SEC 1, 2.3.3).
    let (compressed, hybrid): ([UInt8], [UInt8]) = ([2] + publicKey[1...32], [6] + publicKey[1...])
    let other = publicKey.dropLast() + [publicKey[64] ^ 1]
    let keys: [[UInt8]] = [[], [0], zero, [4] + zero.dropFirst(), compressed, hybrid, publicKey + [0], Array(other)]
    for key in keys {
      #expect(HPKE.seal(clear, for: key, info: info, authenticating: purpose) == nil, "\(key.count) bytes")
      #expect(recipient.open(key + box, info: info, authenticating: purpose) == nil, "\(key.count) bytes")
    }
  }
}

@Suite struct `Base64url` {
  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("\u{3FF}", "z78"), ("\u{FFF}?", "4L-_Pw"),
  ]) func `a text is written without padding, and read again`(text: String, written: String) {
    #expect(Base64URL.text(of: text.utf8) == written && Base64URL.bytes(of: written) == Array(text.utf8))
  }

  @Test(arguments: ["Zg==", "Z", "4L+/", "Zm9v Yg", "Zm9vYg\n", "é"]) func `another text is not read`(text: String) {
    #expect(Base64URL.bytes(of: text) == nil)
  }
}
