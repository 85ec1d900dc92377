import CCrypto

/// HPKE (RFC 9180) in base mode with DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-128-GCM. Each encapsulated key encrypts one message.
///
/// AES-128 is as strong as P-256, and RFC 9180 has test vectors for this suite (appendix A.3).
package enum HPKE {
  /// The size of a public key and of an encapsulated key, in bytes (RFC 9180, 7.1).
  package static let publicKeySize = 65
  private static let scalarSize = 32

  /// A private key with its public key.
  package struct PrivateKey: Sendable {
    private let scalar: [UInt8]
    /// The uncompressed point (SEC 1, 2.3.3).
    package let publicKey: [UInt8]

    /// Derives a key from a secret of at least 32 bytes (RFC 9180, 7.1.3).
    package init(derivedFrom secret: [UInt8]) {
      let key = Schedule.kem.extract([], "dkp_prk", secret)
      // A candidate is rejected with a probability of about 2^-32.
      var counter: UInt8 = 0
      var scalar: [UInt8] = []
      var publicKey: [UInt8]?
      while publicKey == nil {
        scalar = Schedule.kem.expand(key, "candidate", [counter], to: HPKE.scalarSize)
        publicKey = P256.product(scalar, nil)
        counter += 1
      }
      self.scalar = scalar
      self.publicKey = publicKey ?? []
    }

    /// Decrypts the result of `seal`; `nil` if the box is too short, if the key, `info` or the purpose differs, or if a byte was changed.
    package func open(_ box: [UInt8], info: [UInt8], authenticating purpose: [UInt8]) -> [UInt8]? {
      guard box.count >= HPKE.publicKeySize else { return nil }
      let encapsulated = Array(box.prefix(HPKE.publicKeySize))
      guard let shared = sharedSecret(with: encapsulated, encapsulated, publicKey) else { return nil }
      let (cipher, nonce) = Schedule.message.cipher(shared, info: info)
      return cipher.open(nonce + box.dropFirst(HPKE.publicKeySize), authenticating: purpose)
    }

    /// Returns the shared secret of this key and another public key (RFC 9180, 4.1); `nil` if the other key is not a point of the curve.
    fileprivate func sharedSecret(with other: [UInt8], _ encapsulated: [UInt8], _ recipient: [UInt8]) -> [UInt8]? {
      guard let point = P256.product(scalar, other) else { return nil }
      let key = Schedule.kem.extract([], "eae_prk", Array(point[1...HPKE.scalarSize]))
      return Schedule.kem.expand(key, "shared_secret", encapsulated + recipient, to: 32)
    }
  }

  /// Encrypts a message for a public key. Returns the encapsulated key, the ciphertext and the tag; `nil` if the key is not a point of the
  /// curve.
  package static func seal(_ clear: [UInt8], for publicKey: [UInt8], info: [UInt8], authenticating purpose: [UInt8]) -> [UInt8]? {
    seal(clear, for: publicKey, info: info, authenticating: purpose, with: PrivateKey(derivedFrom: AESGCM.random(scalarSize)))
  }

  /// Encrypts a message with the given ephemeral key, which must not be used twice.
  static func seal(
    _ clear: [UInt8], for publicKey: [UInt8], info: [UInt8], authenticating purpose: [UInt8], with ephemeral: PrivateKey
  ) -> [UInt8]? {
    guard let shared = ephemeral.sharedSecret(with: publicKey, ephemeral.publicKey, publicKey) else { return nil }
    let (cipher, nonce) = Schedule.message.cipher(shared, info: info)
    return ephemeral.publicKey + cipher.seal(clear, authenticating: purpose, nonce: nonce).dropFirst(nonce.count)
  }
}

/// The labeled key derivation of one suite (RFC 9180, 4). An output has at most 32 bytes, so HKDF-Expand (RFC 5869, 2.3) needs one block.
private struct Schedule {
  private let suite: [UInt8]

  static let kem = Schedule(suite: Array("KEM".utf8) + [0x00, 0x10])
  static let message = Schedule(suite: Array("HPKE".utf8) + [0x00, 0x10, 0x00, 0x01, 0x00, 0x01])

  func extract(_ salt: [UInt8], _ label: String, _ secret: [UInt8]) -> [UInt8] {
    Array(HMAC(key: salt).code(labeled(label) + secret))
  }

  func expand(_ key: [UInt8], _ label: String, _ info: [UInt8], to count: Int) -> [UInt8] {
    Array(HMAC(key: key).code([0, UInt8(count)] + labeled(label) + info + [1]).prefix(count))
  }

  /// Returns the cipher and the nonce of the first message in base mode (RFC 9180, 5.1).
  func cipher(_ shared: [UInt8], info: [UInt8]) -> (AESGCM, nonce: [UInt8]) {
    let context = [0] + extract([], "psk_id_hash", []) + extract([], "info_hash", info)
    let secret = extract(shared, "secret", [])
    let key = expand(secret, "key", context, to: 16)
    return (AESGCM(key: key), expand(secret, "base_nonce", context, to: AESGCM.nonceSize))
  }

  private func labeled(_ label: String) -> [UInt8] { Array("HPKE-v1".utf8) + suite + Array(label.utf8) }
}

/// The multiplication on the curve P-256 with libcrypto. The EVP functions cannot compute the public key of a derived private key, so this
/// code uses the functions for points on curves, as the ECDH of libcrypto does.
private enum P256 {
  /// Returns the uncompressed product of a scalar and a point, or of a scalar and the base point if `point` is `nil`. Returns `nil` if the
  /// scalar is zero or not below the order, or if the point is not on the curve.
  static func product(_ scalar: [UInt8], _ point: [UInt8]?) -> [UInt8]? {
    let group = Algorithms.p256
    let (context, number) = (BN_CTX_new(), BN_new())
    let (other, product) = (EC_POINT_new(group), EC_POINT_new(group))
    defer {
      EC_POINT_clear_free(product)
      EC_POINT_free(other)
      BN_clear_free(number)
      BN_CTX_free(context)
    }
    BN_bin2bn(scalar, Int32(scalar.count), number)
    BN_set_flags(number, BN_FLG_CONSTTIME)
    guard BN_is_zero(number) == 0, BN_cmp(number, EC_GROUP_get0_order(group)) < 0 else { return nil }
    if let point {
      // Each point of the curve has the prime order, so no other check is needed. The first byte 4 marks an uncompressed point.
      guard point.count == HPKE.publicKeySize, point[0] == 4 else { return nil }
      guard EC_POINT_oct2point(group, other, point, point.count, context) == 1 else {
        // Without this call, the next TLS call on this thread could report the error.
        ERR_clear_error()
        return nil
      }
      Algorithms.expect(EC_POINT_mul(group, product, nil, other, number, context))
    } else {
      Algorithms.expect(EC_POINT_mul(group, product, number, nil, nil, context))
    }
    var bytes = [UInt8](repeating: 0, count: HPKE.publicKeySize)
    let count = EC_POINT_point2oct(group, product, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, context)
    precondition(count == bytes.count, "libcrypto failed")
    return bytes
  }
}
