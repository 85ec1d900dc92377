/// A request's body while it arrives, within its limit. Only for its loop's thread.
struct BodyBuffer {
  private var bytes: [UInt8] = []
  /// Bytes that count against what all bodies may take.
  private var share = 0

  /// Bytes that every request may have, whatever others have.
  private static let ownRoom = 16 << 10

  /// Makes room for what was announced, as far as that is believed.
  mutating func reserve(_ length: Int) { bytes.reserveCapacity(min(length, 64 << 10)) }

  /// Adds what came; throws when it is too much, for one or for all.
  mutating func append(_ piece: UnsafeRawBufferPointer, _ context: ServerContext) throws(Fault) {
    guard piece.count <= context.limits.body - bytes.count else { throw .payloadTooLarge(limit: context.limits.body) }
    let more = bytes.count + piece.count - Self.ownRoom - share
    if more > 0 {
      guard context.takeShare(more) else { throw .full }
      share += more
    }
    bytes.append(contentsOf: piece)
  }

  /// The whole, which goes on to count until `giveBack`.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// The body is gone.
  mutating func giveBack(_ context: ServerContext) {
    context.returnShare(share)
    share = 0
  }
}
