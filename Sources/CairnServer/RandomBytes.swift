import Glibc

/// Random bytes from the kernel, fetched 256 at a time, the most that one call returns: a call for each word would cost more than the word.
/// Used bytes are erased at once. Not for two threads at a time.
struct RandomBytes {
  private static let size = 256

  private var bytes = [UInt8](repeating: 0, count: size)
  /// Those from here on were not given out yet.
  private var place = size

  /// Passes fresh bytes, at most 256, to `use`, and erases them.
  mutating func take<Result>(_ count: Int, _ use: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if Self.size - place < count { fill() }
    let range = place..<(place + count)
    place = range.upperBound
    return bytes.withUnsafeMutableBufferPointer { bytes in
      let fresh = UnsafeMutableBufferPointer(rebasing: bytes[range])
      defer { fresh.update(repeating: 0) }
      return use(UnsafeBufferPointer(fresh))
    }
  }

  private mutating func fill() {
    place = 0
    guard getentropy(&bytes, bytes.count) != 0 else { return }
    // A kernel without this call: the standard library knows other ways, and ends the process if there is none.
    var generator = SystemRandomNumberGenerator()
    for index in bytes.indices { bytes[index] = generator.next() }
  }
}
