/// Pieces that wait to be sent, in order. A piece that many streams send is one array for all of them.
struct StreamQueue {
  private var pieces: [[UInt8]] = []
  /// Bytes in all.
  private(set) var count = 0

  /// Small pieces leave together, in as many bytes at most.
  private static let joined = 64 << 10

  /// One more, at the end.
  mutating func add(_ piece: [UInt8]) {
    guard !piece.isEmpty else { return }
    pieces.append(piece)
    count += piece.count
  }

  /// The next bytes to send; `nil` if there are none.
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

  /// Lets all go.
  mutating func clear() { self = StreamQueue() }
}
