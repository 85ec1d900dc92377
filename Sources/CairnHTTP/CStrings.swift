import Glibc

/// C strings, and counted ones, read.
enum CStrings {
  /// `count` bytes where they lie. No pointer: none.
  static func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// Bytes before the NUL.
  static func length(_ string: UnsafePointer<CChar>) -> Int { strlen(string) }

  /// The addresses of `count` bytes; never to be read through.
  static func span(_ start: UnsafePointer<CChar>?, _ count: Int) -> Range<UInt> {
    let start = UInt(bitPattern: start)
    return start..<start + UInt(count)
  }
}
