/// C strings, and counted ones, read.
enum CStrings {
  /// `count` bytes as text; what is not UTF-8 becomes U+FFFD. No pointer: empty.
  static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
  }

  /// Bytes before the NUL.
  static func length(_ string: UnsafePointer<CChar>) -> Int {
    var end = string
    while end.pointee != 0 { end += 1 }
    return end - string
  }

  /// The addresses of `count` bytes; never to be read through.
  static func span(_ start: UnsafePointer<CChar>?, _ count: Int) -> Range<UInt> {
    let start = UInt(bitPattern: start)
    return start..<start + UInt(count)
  }
}
