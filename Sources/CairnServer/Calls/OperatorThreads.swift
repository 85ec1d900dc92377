import CairnRuntime
import CairnStore
import DequeModule

/// Runs operators' requests on separate threads, where their code may block until the store replies. The number of threads and of waiting
/// requests is bounded. A thread ends when no request waits. Thread-safe.
final class OperatorThreads: Sendable {
  /// The work of a request. It is called at most once, on any thread. The argument is a fault if the request is refused; the work must then
  /// respond with this fault without waiting.
  typealias Work = @Sendable (StoreFault?) -> Void

  private struct Contents {
    var waiting: Deque<Work> = []
    /// The number of threads, and the number of requests that run on them.
    var threads = 0
    var running = 0
    var isOpen = true
  }

  private let count: Int
  private let capacity: Int
  private let telemetry: Telemetry
  private let contents = Lock(Contents())

  /// Creates a pool without threads; requests start them. At most `count` requests run at a time, and at most `capacity` requests wait. A
  /// request above these limits is refused.
  init(_ telemetry: Telemetry, count: Int = 2, capacity: Int = 64) {
    self.telemetry = telemetry
    self.count = count
    self.capacity = capacity
  }

  /// The number of running requests, and the number of waiting requests.
  var load: (running: Int, waiting: Int) { contents.withLock { ($0.running, $0.waiting.count) } }

  /// Runs the work of a request on one of the threads. If the work throws, the call is rejected with this error. Throws if too many
  /// requests wait or the service is stopping.
  func run(_ call: Call, _ work: @escaping @Sendable () throws(Rejection) -> Void) throws(Rejection) {
    let fault = offer { fault in
      do throws(Rejection) {
        if let fault { throw call.rejection(fault) }
        try work()
      } catch {
        call.reject(error)
      }
    }
    if let fault { throw call.rejection(fault) }
  }

  /// Runs work on one of the threads. Returns a fault if the work will not be called, because too many requests wait or the threads are
  /// closed. Otherwise returns `nil`.
  func offer(_ work: @escaping Work) -> StoreFault? {
    let (fault, needsThread) = contents.withLock { contents -> (StoreFault?, Bool) in
      guard contents.isOpen else { return (.stopping, false) }
      guard contents.waiting.count < capacity else { return (.queueFull, false) }
      contents.waiting.append(work)
      guard contents.threads < count else { return (nil, false) }
      contents.threads += 1
      return (nil, true)
    }
    guard needsThread else { return fault }
    do {
      _ = try NamedThread("cairn-operators") { [self] in
        while let work = next() {
          work(nil)
          contents.withLock { $0.running -= 1 }
        }
      }
    } catch {
      threadIsRefused()
    }
    return nil
  }

  /// Blocks until the store has called the function that `ask` passes to it, and returns the result. Throws the store's fault as a
  /// rejection. Must only be called on one of the threads.
  func waiting<Value: Sendable>(
    _ ask: (@escaping @Sendable (Result<Value, StoreFault>) -> Void) -> Void
  ) throws(Rejection) -> Value {
    do throws(StoreFault) {
      return try AwaitedReply.value(orElse: .stopping, ask)
    } catch {
      throw telemetry.rejection(error)
    }
  }

  /// Refuses the waiting requests, and all later ones. Running requests continue.
  func close() {
    let refused = contents.withLock { contents in
      contents.isOpen = false
      defer { contents.waiting = [] }
      return contents.waiting
    }
    for work in refused { work(.stopping) }
  }

  /// Removes and returns the next work. If no work waits, returns `nil` and the thread ends; the next request starts another thread.
  private func next() -> Work? {
    contents.withLock { contents in
      let work = contents.waiting.popFirst()
      if work == nil { contents.threads -= 1 } else { contents.running += 1 }
      return work
    }
  }

  /// Handles a failed start of a thread. If no other thread is running, refuses all waiting requests, because no thread would run them.
  private func threadIsRefused() {
    let refused = contents.withLock { contents -> Deque<Work> in
      contents.threads -= 1
      guard contents.threads == 0 else { return [] }
      defer { contents.waiting = [] }
      return contents.waiting
    }
    for work in refused { work(.queueFull) }
  }
}
