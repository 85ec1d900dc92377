/// Collects a request's body up to the limit. Used only on the loop's thread.
struct BodyBuffer {
  private var bytes: [UInt8] = []
  /// The number of bytes of this body that count towards `Limits.bodies`.
  private var share = 0

  /// Maximum size of the body, in bytes.
  private var limit = 0

  /// The number of bytes of each body that do not count towards `Limits.bodies`.
  private static let ownRoom = 16 << 10

  /// Reserves capacity for the announced length, at most 64 KiB.
  mutating func reserve(_ length: Int) { bytes.reserveCapacity(min(length, 64 << 10)) }

  /// Sets the maximum size of the body, in bytes.
  mutating func bound(_ limit: Int) { self.limit = limit }

  /// Appends a piece of the body. Throws if this body exceeds its limit, or if all bodies together exceed `Limits.bodies`.
  mutating func append(_ piece: UnsafeRawBufferPointer, _ context: ServerContext) throws(Fault) {
    guard piece.count <= limit - bytes.count else { throw .payloadTooLarge(limit: limit) }
    let more = bytes.count + piece.count - Self.ownRoom - share
    if more > 0 {
      guard context.takeShare(more) else { throw .full }
      share += more
    }
    bytes.append(contentsOf: piece)
  }

  /// Returns the whole body and empties the buffer. The bytes count towards `Limits.bodies` until `giveBack` is called.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Releases this body's share of `Limits.bodies`.
  mutating func giveBack(_ context: ServerContext) {
    context.returnShare(share)
    share = 0
  }
}
