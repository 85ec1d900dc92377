import CairnRuntime
import Testing

@testable import CairnHTTP

@Suite struct `Buffering of streams` {
  @Test func `small pieces are sent together, and a large piece separately`() {
    var queue = StreamQueue()
    #expect(queue.take() == nil)
    let large = [UInt8](repeating: 65, count: 64 << 10)
    for piece in [[1], [], [2, 3], large, [4]] { queue.add(piece) }
    #expect(queue.count == 4 + large.count)
    #expect(queue.take() == [1, 2, 3])
    #expect(queue.take() == large)
    #expect(queue.take() == [4])
    #expect(queue.take() == nil && queue.count == 0)
  }

  @Test func `a single waiting piece is not copied`() {
    let piece = [UInt8](repeating: 65, count: 100)
    var queue = StreamQueue()
    queue.add(piece)
    let taken = queue.take()
    #expect(taken?.withUnsafeBytes { $0.baseAddress } == piece.withUnsafeBytes { $0.baseAddress })
  }

  @Test func `before a stream begins it accepts one piece of any size, and then a bounded number of bytes`() {
    var limits = StreamLimits()
    limits.waiting = 100
    let stream = ByteStream(limits, opening: [UInt8](repeating: 65, count: 10_000))
    #expect(stream.send([UInt8](repeating: 65, count: 10_000)))
    #expect(!stream.send([1]) && !stream.isOpen)
    let end = Lock<StreamEnd?>(nil)
    stream.whenOver { reason in end.withLock { $0 = reason } }
    #expect(end.withLock { $0 } == nil, "it is told by its loop")
    stream.finish(.left)
    #expect(end.withLock { $0 } == .slow)
  }

  @Test func `bytes that waited when the client stopped reading do not count, and sending them frees the buffer`() {
    var limits = StreamLimits()
    limits.waiting = 100
    let stream = ByteStream(limits, opening: [])
    #expect(stream.send([UInt8](repeating: 65, count: 1_000)))
    #expect(stream.rest() == nil)
    #expect(stream.send([UInt8](repeating: 65, count: 100)))
    guard case .send(let piece) = stream.next() else { return #expect(Bool(false)) }
    #expect(piece.count == 1_100 && stream.rest() == nil)
    #expect(stream.send([UInt8](repeating: 65, count: 100)))
    #expect(!stream.send([65]))
    #expect(stream.rest() == .slow && !stream.isOpen)
  }

  @Test func `alarms are returned in the order of their times`() {
    var alarms = Alarms<Int>()
    var numbers = Array(1...500) + Array(1...500)
    numbers.shuffle()
    for number in numbers { alarms.add(UInt64(number), number) }
    alarms.add(.max, 0)
    #expect(alarms.next == 1 && alarms.take(at: 0) == nil)
    var taken: [Int] = []
    while let next = alarms.take(at: 250) { taken.append(next) }
    #expect(taken == (1...250).flatMap { [$0, $0] } && alarms.next == 251)
    while let next = alarms.take(at: 1_000) { taken.append(next) }
    #expect(taken.count == 1_000 && alarms.next == nil)
  }

  @Test func `the first end of a stream counts, and is reported once`() {
    let stream = ByteStream(StreamLimits(), opening: [])
    let ends = Lock<[StreamEnd]>([])
    stream.whenOver { end in ends.withLock { $0.append(end) } }
    stream.end()
    stream.close(.stopping)
    stream.finish(nil)
    stream.finish(.left)
    #expect(ends.withLock { $0 } == [.ended])
  }
}
