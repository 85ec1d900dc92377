import Glibc

/// Access to C strings and counted character arrays.
enum CStrings {
  /// The `count` bytes at `start`, not copied; empty if `start` is `NULL`.
  static func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// The number of bytes before the NUL.
  static func length(_ string: UnsafePointer<CChar>) -> Int { strlen(string) }

  /// The addresses of `count` bytes. They are only compared, never dereferenced.
  static func span(_ start: UnsafePointer<CChar>?, _ count: Int) -> Range<UInt> {
    let start = UInt(bitPattern: start)
    return start..<start + UInt(count)
  }
}
