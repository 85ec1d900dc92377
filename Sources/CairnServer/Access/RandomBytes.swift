import Glibc

/// Random bytes from the kernel. They are fetched 256 at a time, the limit of `getentropy`, because a system call per value would take
/// longer than the rest of the generation. Bytes are erased from the buffer as soon as they are used. Not thread-safe.
struct RandomBytes {
  private static let size = 256

  private var bytes = [UInt8](repeating: 0, count: size)
  /// The index of the first unused byte.
  private var place = size

  /// Passes `count` random bytes, at most 256, to `use`, and erases them afterwards.
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
    // The kernel lacks `getentropy`. The standard library uses other sources, and ends the process if no source is available.
    var generator = SystemRandomNumberGenerator()
    for index in bytes.indices { bytes[index] = generator.next() }
  }
}
