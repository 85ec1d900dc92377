import CairnJournal
import CairnRuntime
import CairnTesting
import Testing

@testable import CairnStore

@Suite struct `Scheduling of reads` {
  /// A read that blocks until it is released, and records its outcome.
  private final class Job: Sendable {
    enum Fate: Equatable { case running, done, refused }

    let fate = Monitor<Fate?>(nil)
    private let steps: Lock<Int>
    private let isHeld: Monitor<Bool>
    private let isThere = Lock(true)

    init(steps: Int = 1, isHeld: Bool = false) {
      self.steps = Lock(steps)
      self.isHeld = Monitor(isHeld)
    }

    func letGo() { isHeld.change { $0 = false } }

    func hangUp() { isThere.withLock { $0 = false } }

    func waitUntil(_ wanted: Fate) throws {
      try fate.wait(for: "a read that is \(wanted)") { $0 == wanted ? () : nil }
    }

    func read(_ lane: Read.Lane, _ key: String) -> Read {
      Read(
        lane: lane, key: key, isWanted: { self.isThere.withLock { $0 } },
        step: {
          self.fate.change { $0 = .running }
          let _: Void? = self.isHeld.wait { $0 ? nil : () }
          let left = self.steps.withLock { steps in
            steps -= 1
            return steps
          }
          if left == 0 { self.fate.change { $0 = .done } }
          return left == 0
        }, refuse: { _ in self.fate.change { $0 = .refused } })
    }
  }

  private func readers(_ count: Int = 2, limit: Int = 100) throws -> Readers {
    let readers = Readers(count: count, limit: limit)
    try readers.start()
    return readers
  }

  @Test func `keys take turns, and at most one item per key runs at a time`() {
    var queue = FairQueue<Int>()
    for number in 1...3 { queue.add(number, for: "a") }
    queue.add(4, for: "b")
    #expect(queue.next()?.item == 1)
    #expect(queue.next()?.item == 4)
    #expect(queue.next() == nil)
    queue.goOn(1, for: "a")
    queue.end("b")
    queue.add(5, for: "b")
    #expect(queue.next()?.item == 1)
    #expect(queue.next()?.item == 5)
    queue.end("a")
    #expect(queue.next()?.item == 2)
    #expect(queue.count == 1)
    #expect(queue.empty() == [3])
    queue.end("a")
    #expect(queue.next() == nil)
  }

  @Test func `every reader that serves a lane is woken for a read, and again after it has slept`() throws {
    let readers = try readers(3)
    defer { readers.stop() }
    for round in 0..<20 {
      let jobs = (0..<3).map { _ in Job(isHeld: true) }
      defer { jobs.forEach { $0.letGo() } }
      for (number, job) in jobs.enumerated() { #expect(readers.offer(job.read(.state, "\(round) \(number)")) == nil) }
      // No job is released before all run. A reader that was not woken would leave a job waiting.
      for job in jobs { try job.waitUntil(.running) }
      for job in jobs { job.letGo() }
      for job in jobs { try job.waitUntil(.done) }
    }
  }

  @Test func `a read of the current state waits neither for a history nor for a list`() throws {
    let readers = try readers()
    defer { readers.stop() }
    let slow = [Job(isHeld: true), Job(isHeld: true)]
    #expect(readers.offer(slow[0].read(.past, "a")) == nil)
    #expect(readers.offer(slow[1].read(.list, "list")) == nil)
    for job in slow { try job.waitUntil(.running) }
    let state = Job()
    #expect(readers.offer(state.read(.state, "a")) == nil)
    try state.waitUntil(.done)
    for job in slow { job.letGo() }
    for job in slow { try job.waitUntil(.done) }
  }

  @Test func `the history of one session occupies one reader, however often it is requested`() throws {
    let readers = try readers(3)
    defer { readers.stop() }
    let many = (0..<50).map { _ in Job(isHeld: true) }
    for job in many { #expect(readers.offer(job.read(.past, "a")) == nil) }
    try many[0].waitUntil(.running)
    let other = Job()
    #expect(readers.offer(other.read(.past, "b")) == nil)
    try other.waitUntil(.done)
    #expect(many.dropFirst().allSatisfy { $0.fate.withLock { $0 } == nil })
    #expect(readers.figures.depths == [0, 49, 0])
    for job in many { job.letGo() }
    for job in many { try job.waitUntil(.done) }
    #expect(readers.figures.waits[Read.Lane.past.rawValue].count == 51)
  }

  @Test func `a long read yields between two steps`() throws {
    let readers = try readers()
    defer { readers.stop() }
    let long = Job(steps: 1_000, isHeld: true)
    #expect(readers.offer(long.read(.past, "a")) == nil)
    try long.waitUntil(.running)
    let short = Job(isHeld: true)
    #expect(readers.offer(short.read(.past, "b")) == nil)
    long.letGo()
    try short.waitUntil(.running)
    #expect(long.fate.withLock { $0 } == .running)
    short.letGo()
    try long.waitUntil(.done)
  }

  @Test func `a cancelled read is dropped before it begins or between two steps`() throws {
    let readers = try readers()
    defer { readers.stop() }
    let (first, second) = (Job(steps: 1_000_000, isHeld: true), Job())
    #expect(readers.offer(first.read(.past, "a")) == nil)
    #expect(readers.offer(second.read(.past, "a")) == nil)
    try first.waitUntil(.running)
    first.hangUp()
    second.hangUp()
    first.letGo()
    try first.waitUntil(.refused)
    try second.waitUntil(.refused)
    #expect(readers.figures.dropped == 2)
  }

  @Test func `a stop waits for no history, rejects waiting reads at once, and ends a running read at its next step`() throws {
    let readers = try readers()
    let (long, waiting, state) = (Job(steps: 1_000_000, isHeld: true), Job(), Job())
    #expect(readers.offer(long.read(.past, "a")) == nil)
    #expect(readers.offer(waiting.read(.past, "a")) == nil)
    try long.waitUntil(.running)
    readers.leave()
    #expect(waiting.fate.withLock { $0 } == .refused)
    #expect(readers.offer(Job().read(.list, "list")) != nil)
    #expect(readers.offer(state.read(.state, "a")) == nil)
    try state.waitUntil(.done)
    long.letGo()
    try long.waitUntil(.refused)
    readers.stop()
  }

  @Test func `a full lane rejects further reads, and the other lanes continue`() throws {
    let readers = try readers(2, limit: 3)
    defer { readers.stop() }
    let running = Job(isHeld: true)
    #expect(readers.offer(running.read(.past, "a")) == nil)
    try running.waitUntil(.running)
    let faults = (0..<4).map { _ in readers.offer(Job().read(.past, "a")) }
    #expect(faults.map { $0 != nil } == [false, false, false, true])
    #expect(readers.offer(Job().read(.list, "list")) == nil)
    running.letGo()
  }
}

@Suite(.tags(.timing), .ownThreads) struct `Sessions in memory` {
  @Test func `a session that was read before its deletion is not cached after it`() throws {
    let journal = MemoryJournal()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    let session = try bench.session("a")
    let cache = SessionCache(limit: 1 << 20)
    let mark = cache.mark("a")
    let gone = Staged(session, SipHash.Key([]))
    gone.isGone = true
    cache.publish([gone])
    cache.keep(session, readAt: mark)
    #expect(cache.session("a") == nil)
    #expect(cache.weight == 0)
  }
}
