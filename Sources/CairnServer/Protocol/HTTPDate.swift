import Glibc

/// A time as header fields have it (RFC 9110, 5.6.7).
enum HTTPDate {
  /// Milliseconds since 1970, rounded down to a second.
  static func text(_ milliseconds: Int) -> String {
    var seconds = milliseconds / 1_000
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 64)
    // In the locale of C, which a process has that never asked for another.
    let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
