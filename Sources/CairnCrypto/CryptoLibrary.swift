import CCrypto

/// OpenSSL's libcrypto.
package enum CryptoLibrary {
  /// The version of libcrypto in use, such as `3.0.17`.
  package static var version: String { OpenSSL_version(OPENSSL_VERSION_STRING).map { String(cString: $0) } ?? "" }
}
