import Glibc

/// Random bytes from the kernel, fetched 256 at a time, because a system call per word costs more than the bytes. Used bytes are erased at once. Not
/// thread-safe.
struct RandomBytes {
  private static let size = 256

  private var bytes = [UInt8](repeating: 0, count: size)
  /// The offset of the first unused byte.
  private var place = size

  /// Passes at most 256 new bytes to `use`, then erases them.
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
    // On a kernel without this call, the standard library uses other sources, and ends the process if there is none.
    var generator = SystemRandomNumberGenerator()
    for index in bytes.indices { bytes[index] = generator.next() }
  }
}
