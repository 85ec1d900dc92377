#if canImport(CCurl)
  import CCurl
#endif

/// The library that performs HTTP exchanges.
package enum TransferLibrary {
  /// The version of libcurl in use, such as `7.88.1`; `nil` if URLSession performs the exchanges.
  package static var curlVersion: String? {
    #if canImport(CCurl)
      // Such as "libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13".
      curl_version().map { String(String(cString: $0).prefix { $0 != " " }.drop { $0 != "/" }.dropFirst()) }
    #else
      nil
    #endif
  }
}
