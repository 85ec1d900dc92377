import CairnRuntime
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Background loop` {
  @Test func `stop ends a pause and waits for the thread`() throws {
    let loop = BackgroundLoop(0)
    try loop.start("test-loop") {
      while loop.pause(until: Monotonic.deadline(after: .seconds(3_600))) { loop.change { $0 += 1 } }
      loop.change { $0 = -1 }
    }
    loop.stop()
    #expect(loop.withLock { $0 } == -1)
    #expect(!loop.isOpen)
  }

  @Test func `a pause ends at its deadline`() throws {
    let loop = BackgroundLoop(0)
    try loop.start("test-loop") { while loop.pause(until: Monotonic.now() + 1_000) { loop.change { $0 += 1 } } }
    #expect(loop.wait { $0 >= 3 ? true : nil } == true)
    loop.stop()
    let rounds = loop.withLock { $0 }
    #expect(loop.withLock { $0 } == rounds)
  }

  @Test func `a change wakes waiting threads, and after a stop no thread waits`() throws {
    let loop = BackgroundLoop([Int]())
    let taken = Monitor([Int]())
    try loop.start("test-loop") {
      while let number: Int = loop.wait({ $0.isEmpty ? nil : $0.removeFirst() }) { taken.change { $0.append(number) } }
    }
    for number in 1...3 { loop.change { $0.append(number) } }
    #expect(taken.wait { $0.count == 3 ? $0 : nil } == [1, 2, 3])
    loop.stop()
    #expect(loop.wait { $0.isEmpty ? nil : $0.removeFirst() } == nil)
  }

  @Test func `a deadline that has passed ends a wait`() {
    let loop = BackgroundLoop(0)
    #expect(loop.wait(until: Monotonic.now()) { $0 > 0 ? true : nil } == nil)
    #expect(loop.isOpen)
  }
}
