/// The queued pieces of a stream, in order. Streams that send the same piece share its array.
struct StreamQueue {
  private var pieces: [[UInt8]] = []
  /// The number of bytes in all pieces.
  private(set) var count = 0

  /// The limit up to which small pieces are joined into one send, in bytes.
  private static let joined = 64 << 10

  /// Appends a piece. An empty piece is ignored.
  mutating func add(_ piece: [UInt8]) {
    guard !piece.isEmpty else { return }
    pieces.append(piece)
    count += piece.count
  }

  /// Removes and returns the next bytes to send; `nil` if the queue is empty.
  mutating func take() -> [UInt8]? {
    guard var next = pieces.first else { return nil }
    var number = 1
    while number < pieces.count, next.count + pieces[number].count <= Self.joined {
      next += pieces[number]
      number += 1
    }
    pieces.removeFirst(number)
    count -= next.count
    return next
  }

  mutating func clear() { self = StreamQueue() }
}
