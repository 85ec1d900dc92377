/// The received part of a request's body, within its limits. Only for the loop's thread.
struct BodyBuffer {
  private var bytes: [UInt8] = []
  /// The number of bytes that count towards the limit of all bodies together.
  private var share = 0

  /// The number of bytes that every request may use, regardless of other requests.
  private static let ownRoom = 16 << 10

  /// Reserves memory for the announced length, up to 64 KiB.
  mutating func reserve(_ length: Int) { bytes.reserveCapacity(min(length, 64 << 10)) }

  /// Appends a part. Throws if the body, or all bodies together, exceed their limit.
  mutating func append(_ piece: UnsafeRawBufferPointer, _ context: ServerContext) throws(Fault) {
    guard piece.count <= context.limits.body - bytes.count else { throw .payloadTooLarge(limit: context.limits.body) }
    let more = bytes.count + piece.count - Self.ownRoom - share
    if more > 0 {
      guard context.takeShare(more) else { throw .full }
      share += more
    }
    bytes.append(contentsOf: piece)
  }

  /// Removes and returns the body. It counts towards the limit until `giveBack`.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Ends counting the body.
  mutating func giveBack(_ context: ServerContext) {
    context.returnShare(share)
    share = 0
  }
}
