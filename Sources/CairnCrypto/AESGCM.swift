import CCrypto

/// Authenticated encryption with AES-GCM (NIST SP 800-38D) and one key, whose size selects AES-128 or AES-256. Thread-safe.
package struct AESGCM: Sendable {
  /// The sizes of a key of AES-256, the nonce and the tag, in bytes.
  package static let (keySize, nonceSize, tagSize) = (32, 12, 16)

  /// The key. It never changes, and is overwritten when it is released.
  private final class Key: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    init(_ key: [UInt8]) {
      bytes = .allocate(byteCount: key.count, alignment: 16)
      bytes.copyBytes(from: key)
    }

    deinit {
      OPENSSL_cleanse(bytes.baseAddress, bytes.count)
      bytes.deallocate()
    }
  }

  private let key: Key

  /// Creates a cipher. `key` must have 16 bytes for AES-128 or 32 bytes for AES-256; otherwise the call traps.
  package init(key: [UInt8]) {
    precondition(key.count == 16 || key.count == Self.keySize, "a key of AES has 16 or 32 bytes")
    self.key = Key(key)
  }

  /// Creates a cipher of AES-256 with a random key, which cannot decrypt any existing data.
  package init() { self.init(key: Self.random(Self.keySize)) }

  /// Encrypts with a fresh random nonce. Returns nonce, ciphertext and tag.
  package func seal(_ clear: [UInt8], authenticating purpose: [UInt8]) -> [UInt8] {
    seal(clear, authenticating: purpose, nonce: Self.random(Self.nonceSize))
  }

  /// Encrypts with the given nonce of `nonceSize` bytes. A nonce must not be used twice with the same key. Returns nonce, ciphertext and
  /// tag.
  func seal(_ clear: [UInt8], authenticating purpose: [UInt8], nonce: [UInt8]) -> [UInt8] {
    var box = nonce + [UInt8](repeating: 0, count: clear.count + Self.tagSize)
    box.withUnsafeMutableBytes { box in
      let sealed = box[Self.nonceSize..<Self.nonceSize + clear.count]
      run(isSealing: true, nonce, clear[...], purpose, into: UnsafeMutableRawBufferPointer(rebasing: sealed)) { context in
        let tag = box.baseAddress.map { $0 + box.count - Self.tagSize }
        return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagSize), tag) == 1
      }
    }
    return box
  }

  /// Decrypts the result of `seal`; `nil` if the box is too short, if the key or the purpose differs, or if a byte was changed.
  package func open(_ box: [UInt8], authenticating purpose: [UInt8]) -> [UInt8]? {
    guard box.count >= Self.nonceSize + Self.tagSize else { return nil }
    var tag = Array(box.suffix(Self.tagSize))
    let sealed = box[Self.nonceSize..<box.count - Self.tagSize]
    var clear = [UInt8](repeating: 0, count: sealed.count)
    let isWhole = clear.withUnsafeMutableBytes { clear in
      run(isSealing: false, Array(box.prefix(Self.nonceSize)), sealed, purpose, into: clear) { context in
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagSize), &tag) == 1
      }
    }
    return isWhole ? clear : nil
  }

  /// Encrypts or decrypts into `output`. `exchangeTag` reads the tag from the context after an encryption, or sets it before the end of a
  /// decryption. After a decryption, returns whether the tag is valid.
  @discardableResult private func run(
    isSealing: Bool, _ nonce: [UInt8], _ input: ArraySlice<UInt8>, _ purpose: [UInt8], into output: UnsafeMutableRawBufferPointer,
    exchangeTag: (OpaquePointer?) -> Bool
  ) -> Bool {
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    var count: Int32 = 0
    // GCM writes nothing at the end, but libcrypto requires an output buffer nevertheless.
    var rest: [UInt8] = Array(repeating: 0, count: Self.tagSize)
    let algorithm = key.bytes.count == Self.keySize ? Algorithms.aes256GCM : Algorithms.aes128GCM
    Algorithms.expect(
      EVP_CipherInit_ex2(
        context, algorithm, key.bytes.assumingMemoryBound(to: UInt8.self).baseAddress, nonce, isSealing ? 1 : 0, nil))
    if !purpose.isEmpty { Algorithms.expect(EVP_CipherUpdate(context, nil, &count, purpose, Int32(purpose.count))) }
    input.withUnsafeBufferPointer { input in
      guard !input.isEmpty else { return }
      Algorithms.expect(
        EVP_CipherUpdate(context, output.assumingMemoryBound(to: UInt8.self).baseAddress, &count, input.baseAddress, Int32(input.count)))
    }
    if isSealing { return EVP_CipherFinal_ex(context, &rest, &count) == 1 && exchangeTag(context) }
    return exchangeTag(context) && EVP_CipherFinal_ex(context, &rest, &count) == 1
  }

  /// Returns random bytes that cannot be guessed.
  static func random(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    Algorithms.expect(RAND_bytes(&bytes, Int32(count)))
    return bytes
  }
}
