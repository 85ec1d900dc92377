import CairnRuntime
import CairnTesting
import Glibc
import Testing

@Suite(.tags(.timing), .ownThreads) struct LockTests {
  @Test func `a lock admits one thread at a time`() throws {
    let count = Lock(0)
    let threads = try (0..<4).map { number in
      try NamedThread("counter-\(number)") { for _ in 0..<10_000 { count.withLock { $0 += 1 } } }
    }
    threads.forEach { $0.join() }
    #expect(count.withLock { $0 } == 40_000)
  }

  @Test func `a lock is released after a throw`() {
    struct Refused: Error {}
    let lock = Lock(1)
    #expect(throws: Refused.self) { try lock.withLock { (_) throws(Refused) in throw Refused() } }
    #expect(lock.withLock { $0 } == 1)
  }
}

@Suite(.tags(.timing), .ownThreads) struct MonitorTests {
  @Test func `a waiting thread gets the value of another thread`() throws {
    let box = Monitor<[Int]>([])
    let thread = try NamedThread("bringer") { for number in 1...100 { box.change { $0.append(number) } } }
    var seen: [Int] = []
    while seen.count < 100 { seen += box.wait { $0.isEmpty ? nil : [$0.removeFirst()] } ?? [] }
    thread.join()
    #expect(seen == Array(1...100))
  }

  @Test func `a wait ends at its deadline and not before`() {
    let box = Monitor(false)
    let deadline = Monotonic.deadline(after: .milliseconds(30))
    #expect(box.wait(until: deadline) { $0 ? true : nil } == nil)
    #expect(Monotonic.now() >= deadline)
  }

  @Test func `an available element is taken even after the deadline`() {
    #expect(Monitor(7).wait(until: 0) { $0 } == 7)
  }

  @Test func `a change wakes every waiter`() throws {
    let box = Monitor(false)
    let threads = try (0..<4).map { try NamedThread("waiter-\($0)") { _ = box.wait { $0 ? true : nil } } }
    box.change { $0 = true }
    threads.forEach { $0.join() }
  }
}

@Suite(.tags(.timing), .ownThreads) struct ThreadTests {
  @Test(arguments: [("short", "short"), ("a name that is too long", "a name that is ")])
  func `a thread has its name`(name: String, shown: String) throws {
    let seen = Lock("")
    let thread = try NamedThread(name) {
      var buffer = [UInt8](repeating: 0, count: 64)
      let file = open("/proc/thread-self/comm", O_RDONLY)
      let count = read(file, &buffer, 64)
      close(file)
      seen.withLock { $0 = String(decoding: buffer[..<max(0, count - 1)], as: UTF8.self) }
    }
    thread.join()
    thread.join()
    #expect(seen.withLock { $0 } == shown)
  }

  @Test func `the closure of a thread is released when the thread ends`() throws {
    final class Thing: Sendable {}
    weak var last: Thing?
    do {
      let thing = Thing()
      last = thing
      try NamedThread("holder") { [thing] in withExtendedLifetime(thing) {} }.join()
    }
    #expect(last == nil)
  }
}

@Suite(.tags(.timing), .ownThreads) struct ClockTests {
  @Test func `monotonic time never decreases`() {
    let first = Monotonic.now()
    #expect(Monotonic.now() >= first)
  }

  @Test func `wall time is in milliseconds since 1970`() {
    #expect(WallClock.now() > 1_700_000_000_000 && WallClock.now() < 10_000_000_000_000)
  }

  @Test func `a duration is limited to the range from zero to the maximum`() {
    #expect(Duration.milliseconds(1500).nanoseconds == 1_500_000_000)
    #expect(Duration.seconds(-1).nanoseconds == 0)
    #expect(Duration.seconds(Int64.max).nanoseconds == .max)
    #expect(Monotonic.deadline(after: .seconds(Int64.max)) == .max)
  }
}

@Suite(.tags(.timing), .ownThreads) struct ProcessSignalTests {
  /// The signal is sent to the waiting thread only, so that the test process does not handle it.
  @Test(arguments: [(SIGTERM, ProcessSignal.terminate), (SIGINT, .interrupt), (SIGHUP, .hangUp), (SIGUSR1, .user), (SIGUSR2, .user)])
  func `a blocked signal is received as a value, each time`(number: Int32, signal: ProcessSignal) throws {
    let seen = Lock<[ProcessSignal]>([])
    let thread = try NamedThread("signals") {
      ProcessSignals.block()
      for _ in 1...2 {
        raise(number)
        let signal = ProcessSignals.wait()
        seen.withLock { $0.append(signal) }
      }
    }
    thread.join()
    #expect(seen.withLock { $0 } == [signal, signal])
  }
}
