/// The bytes that wait to be sent, in parts. A part that many streams send is stored once.
struct StreamQueue {
  private var pieces: [[UInt8]] = []
  /// The total number of bytes.
  private(set) var count = 0

  /// The maximum number of bytes up to which small parts are joined.
  private static let joined = 64 << 10

  /// Appends a part.
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

  /// Removes everything.
  mutating func clear() { self = StreamQueue() }
}
