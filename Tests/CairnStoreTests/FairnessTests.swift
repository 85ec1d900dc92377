import CairnCore
import CairnRuntime
import CairnTesting
import Testing

@testable import CairnStore

@Suite struct `Quick requests run before long ones` {
  private func request(_ session: String, _ count: Int, _ reply: @escaping Reply<Posted> = { _ in }) -> PostJob {
    PostJob(Post(.commands(Array(repeating: Trial.page(1), count: count)), to: session), reply)
  }

  private func session(_ job: (any Job)?) -> String? { job?.session }

  @Test func `a long request waits, and a quick request does not`() {
    var lanes = Lanes(limit: 10)
    #expect(lanes.quick(request("a", 1_000)) == nil)
    #expect(session(lanes.quick(request("b", 1))) == "b")
    #expect(!lanes.isEmpty)
    #expect(session(lanes.slow()) == "a")
    #expect(lanes.isEmpty)
    #expect(lanes.slow() == nil)
  }

  @Test func `requests of one session keep their order`() {
    var lanes = Lanes(limit: 10)
    let requests = [100, 1, 2, 3].map { request("a", $0) }
    #expect(lanes.quick(requests[0]) == nil)
    #expect(lanes.quick(requests[1]) == nil)
    #expect(lanes.slow() === requests[0])
    #expect(lanes.quick(requests[2]) == nil)
    #expect(lanes.slow() === requests[1])
    #expect(lanes.slow() === requests[2])
    #expect(lanes.quick(requests[3]) === requests[3])
  }

  @Test func `sessions with waiting requests take turns`() {
    var lanes = Lanes(limit: 1_000)
    for _ in 0..<100 { _ = lanes.quick(request("greedy", 100)) }
    _ = lanes.quick(request("a", 100))
    _ = lanes.quick(request("b", 100))
    #expect((0..<5).map { _ in session(lanes.slow()) } == ["greedy", "a", "b", "greedy", "greedy"])
    var rest = 0
    while lanes.slow() != nil { rest += 1 }
    #expect(rest == 97)
    #expect(lanes.isEmpty)
  }

  @Test func `a session whose last request took long waits too, until one of its requests is quick`() {
    var lanes = Lanes(limit: 10)
    lanes.note("a", took: 90_000)
    #expect(lanes.quick(request("a", 1)) == nil)
    #expect(session(lanes.quick(request("b", 1))) == "b")
    #expect(session(lanes.slow()) == "a")
    lanes.note("a", took: 10)
    #expect(session(lanes.quick(request("a", 1))) == "a")
  }

  @Test func `waiting requests over the limit are rejected at once`() {
    let fault = Lock<StoreFault?>(nil)
    var lanes = Lanes(limit: 1)
    _ = lanes.quick(request("a", 100))
    let last = request("b", 100) { result in
      if case .failure(let refused) = result { fault.withLock { $0 = refused } }
    }
    #expect(lanes.quick(last) == nil)
    #expect(fault.withLock { $0?.word } == "queueFull")
  }
}

@Suite(.tags(.timing), .ownThreads) struct `Bounds of one request` {
  @Test func `an array of commands that exceeds a bound is rejected as a whole, and the session stays usable`() throws {
    let bench = try StoreBench(MemoryJournal(), limits: StoreLimits(bounds: Bounds(nodes: 20)))
    defer { bench.store.stop() }
    try bench.create("a")
    let many = (1...30).map { Trial.page($0) }
    let result = try awaiting { bench.store.post(many, to: "a", reply: $0) }
    #expect(throws: StoreFault.self) { try result.get() }
    #expect(try bench.session("a").pages == [0])
    try bench.post(Trial.page(1), to: "a")
    #expect(try bench.session("a").pages == [0, 1])
  }
}

@Suite(.tags(.timing), .ownThreads) struct `The machine's clock` {
  @Test func `a clock that was set back continues at the monotonic pace, and a step forward is followed`() {
    let wall = Lock(1_000_000)
    let monotonic = Lock<UInt64>(5_000_000_000)
    let clock = SystemClock(wall: { wall.withLock { $0 } }, monotonic: { monotonic.withLock { $0 } })
    #expect(clock.now() == 1_000_000)
    wall.withLock { $0 -= 3_600_000 }
    #expect(clock.now() == 1_000_000)
    monotonic.withLock { $0 += 2_500_000_000 }
    #expect(clock.now() == 1_002_500)
    monotonic.withLock { $0 += 900_000 }
    #expect(clock.now() == 1_002_500)
    monotonic.withLock { $0 += 100_000 }
    #expect(clock.now() == 1_002_501)
    wall.withLock { $0 = 9_000_000 }
    #expect(clock.now() == 9_000_000)
    monotonic.withLock { $0 += 1_000_000 }
    #expect(clock.now() == 9_000_001)
  }

  @Test func `the times of the entries of a session never decrease`() throws {
    let clock = ManualClock()
    let bench = try StoreBench(MemoryJournal(), clock: clock)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.page(1), to: "a")
    let before = clock.now()
    clock.advance(by: -3_600_000)
    try bench.post(Trial.page(2), to: "a")
    #expect(try bench.history(of: "a").items.map(\.entry.stamp.time) == [before, before, before])
  }
}
