import Glibc

/// Reads C strings and byte ranges of C.
enum CStrings {
  /// A buffer over `count` bytes, without copying them; empty if there is no pointer.
  static func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// The number of bytes before the NUL.
  static func length(_ string: UnsafePointer<CChar>) -> Int { strlen(string) }

  /// The addresses of `count` bytes, for comparisons only.
  static func span(_ start: UnsafePointer<CChar>?, _ count: Int) -> Range<UInt> {
    let start = UInt(bitPattern: start)
    return start..<start + UInt(count)
  }
}
