import CairnRuntime
import Synchronization

/// The state shared by all connections of one server. May be used on any thread.
final class ServerContext: Sendable {
  /// The phases of the server, in order. `draining` accepts no connections; `stopping` also refuses requests.
  enum Phase: UInt8 { case running, draining, stopping }

  let limits: Limits
  let times: Times
  let handler: Handler
  let log: @Sendable (String) -> Void
  /// The prefix of all request ids.
  let prefix = String(UInt32.random(in: .min ... .max), radix: 36)
  private let fault: @Sendable (Fault, Request?) -> Response
  private let progress = Atomic(Phase.running.rawValue)
  private let peers = Atomic(0)
  private let bodies = Atomic(0)
  private let streams = Atomic(0)

  init(
    limits: Limits, fault: @escaping @Sendable (Fault, Request?) -> Response, log: @escaping @Sendable (String) -> Void,
    handler: @escaping Handler
  ) {
    self.limits = limits
    self.handler = handler
    self.fault = fault
    self.log = log
    times = Times(limits)
  }

  /// Returns the next connection number, starting with 1.
  func nextPeer() -> Int { peers.add(1, ordering: .relaxed).newValue }

  /// Adds `count` bytes to the memory of large bodies. Returns false if `Limits.bodies` would be exceeded.
  func takeShare(_ count: Int) -> Bool {
    guard bodies.add(count, ordering: .relaxed).newValue <= limits.bodies else {
      returnShare(count)
      return false
    }
    return true
  }

  /// Subtracts `count` bytes from the memory of large bodies, after a body has been released.
  func returnShare(_ count: Int) {
    if count > 0 { bodies.subtract(count, ordering: .relaxed) }
  }

  /// Counts a new stream. Returns false if `Limits.streams` is reached.
  func takeStream() -> Bool {
    guard streams.add(1, ordering: .relaxed).newValue <= limits.streams else {
      returnStream()
      return false
    }
    return true
  }

  /// Subtracts a stream that has ended, or that could not begin, from the count.
  func returnStream() { streams.subtract(1, ordering: .relaxed) }

  /// The current phase. Setting an earlier phase has no effect.
  var phase: Phase {
    get { Phase(rawValue: progress.load(ordering: .acquiring)) ?? .stopping }
    set { _ = progress.max(newValue.rawValue, ordering: .acquiringAndReleasing) }
  }

  /// Creates the response to a fault. The connection closes after this response.
  func response(to fault: Fault, _ request: Request?) -> Response { self.fault(fault, request) }

  /// The limits that are durations, converted to nanoseconds.
  struct Times {
    let head, upload, download, betweenRequests, grace, stall: UInt64
    /// The interval at which a loop checks for clients that have missed their deadline, in nanoseconds.
    let watch: UInt64

    init(_ limits: Limits) {
      head = limits.head.nanoseconds
      upload = limits.upload.nanoseconds
      download = limits.download.nanoseconds
      betweenRequests = (limits.idle + limits.head).nanoseconds
      grace = limits.grace.nanoseconds
      stall = limits.stall.nanoseconds
      watch = max(10_000_000, min(500_000_000, min(head, upload, download) / 8))
    }
  }
}
