import CairnHTTP
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

@testable import CairnServer

@Suite(.tags(.timing), .ownThreads) struct `Threads of operators' requests` {
  /// Work that runs until it is released.
  private final class Gate: Sendable {
    private struct Contents {
      var isOpen = false
      var running = 0
      var most = 0
      var ended = 0
      var refusals: [String] = []
    }

    private let contents = Monitor(Contents())

    /// The faults of the refused work.
    var refusals: [String] { contents.withLock { $0.refusals } }
    /// The highest number of simultaneously running pieces of work.
    var most: Int { contents.withLock { $0.most } }

    var work: OperatorThreads.Work {
      { [contents] fault in
        if let fault { return contents.change { $0.refusals.append("\(fault)") } }
        contents.change { contents in
          contents.running += 1
          contents.most = max(contents.most, contents.running)
        }
        let _: Void? = contents.wait { $0.isOpen ? () : nil }
        contents.change { contents in
          contents.running -= 1
          contents.ended += 1
        }
      }
    }

    func open() { contents.change { $0.isOpen = true } }

    func waitUntil(running count: Int) throws { try contents.wait(for: "\(count) works that run") { $0.running == count ? () : nil } }

    func waitUntil(ended count: Int) throws { try contents.wait(for: "\(count) works that ended") { $0.ended == count ? () : nil } }
  }

  private let gate = Gate()
  private let threads = OperatorThreads(Telemetry(Workshop.logger(Lines()), lines: nil, now: { 0 }), count: 2, capacity: 3)

  @Test func `two requests run, three wait, and the next one is refused`() throws {
    defer { gate.open() }
    for _ in 0..<2 { #expect(threads.offer(gate.work) == nil) }
    try gate.waitUntil(running: 2)
    for _ in 0..<3 { #expect(threads.offer(gate.work) == nil) }
    #expect(threads.offer(gate.work).map { "\($0)" } == "queueFull")
    gate.open()
    try gate.waitUntil(ended: 5)
    #expect(gate.most == 2 && gate.refusals.isEmpty, "a request that finds no room is refused by the result alone")
    #expect(threads.offer(gate.work) == nil, "there is room again")
    try gate.waitUntil(ended: 6)
  }

  @Test func `at a stop the requests that wait are answered, and the running ones end`() throws {
    defer { gate.open() }
    for _ in 0..<2 { #expect(threads.offer(gate.work) == nil) }
    try gate.waitUntil(running: 2)
    for _ in 0..<3 { #expect(threads.offer(gate.work) == nil) }
    threads.close()
    #expect(gate.refusals == ["stopping", "stopping", "stopping"])
    #expect(threads.offer(gate.work).map { "\($0)" } == "stopping")
    gate.open()
    try gate.waitUntil(ended: 2)
  }

  @Test func `if the system refuses the thread, the request is refused, and the next one is not`() throws {
    NamedThread.$isRefused.withValue({ $0 == "cairn-operators" }) { #expect(threads.offer(gate.work) == nil) }
    #expect(gate.refusals == ["queueFull"])
    gate.open()
    #expect(threads.offer(gate.work) == nil)
    try gate.waitUntil(ended: 1)
  }

  @Test func `a reply is waited for, on whichever thread it comes`() throws {
    let thread = Lock<NamedThread?>(nil)
    let number: Int = try AwaitedReply.value(orElse: StoreFault.stopping) { reply in
      let started = try? NamedThread("replies") { reply(.success(7)) }
      thread.withLock { $0 = started }
    }
    thread.withLock { $0 }?.join()
    #expect(number == 7)
    #expect(try AwaitedReply.value(orElse: StoreFault.stopping) { $0(.success("at once")) } == "at once")
  }

  @Test func `a reply that never comes is a fault`() {
    do throws(StoreFault) {
      let _: Int = try AwaitedReply.value(orElse: StoreFault.stopping) { _ in }
      Issue.record("there was no reply")
    } catch {
      #expect("\(error)" == "stopping")
    }
  }
}
