import CCrypto

/// The algorithms of OpenSSL's libcrypto. Each algorithm is fetched once, because a fetch takes longer than a short hash. The fetched
/// objects are never changed or freed. Thread-safe.
enum Algorithms {
  nonisolated(unsafe) static let sha256 = EVP_MD_fetch(nil, "SHA256", nil)
  nonisolated(unsafe) static let aes128GCM = EVP_CIPHER_fetch(nil, "AES-128-GCM", nil)
  nonisolated(unsafe) static let aes256GCM = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

  /// The curve P-256.
  nonisolated(unsafe) static let p256 = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)

  /// Traps if a call of libcrypto failed. The call can only fail for lack of memory, or because the library lacks an algorithm.
  static func expect(_ result: Int32) { precondition(result == 1, "libcrypto failed") }
}
