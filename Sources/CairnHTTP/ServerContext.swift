import CairnRuntime
import Synchronization

/// The shared state of all connections of one server. Any thread.
final class ServerContext: Sendable {
  /// How far the server is on its way down.
  enum Phase: UInt8 { case running, draining, stopping }

  let limits: Limits
  let times: Times
  let handler: Handler
  let log: @Sendable (String) -> Void
  /// The beginning of each request's id.
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

  /// A connection's number, from 1.
  func nextPeer() -> Int { peers.add(1, ordering: .relaxed).newValue }

  /// So many bytes more of a large body; false: there is no room for them now.
  func takeShare(_ count: Int) -> Bool {
    guard bodies.add(count, ordering: .relaxed).newValue <= limits.bodies else {
      returnShare(count)
      return false
    }
    return true
  }

  /// A large body is gone.
  func returnShare(_ count: Int) {
    if count > 0 { bodies.subtract(count, ordering: .relaxed) }
  }

  /// One more stream; false: there are as many as there may be.
  func takeStream() -> Bool {
    guard streams.add(1, ordering: .relaxed).newValue <= limits.streams else {
      returnStream()
      return false
    }
    return true
  }

  /// A stream has ended.
  func returnStream() { streams.subtract(1, ordering: .relaxed) }

  /// How far it is down. Going back has no effect.
  var phase: Phase {
    get { Phase(rawValue: progress.load(ordering: .acquiring)) ?? .stopping }
    set { _ = progress.max(newValue.rawValue, ordering: .acquiringAndReleasing) }
  }

  /// The answer to a fault; it ends its connection.
  func response(to fault: Fault, _ request: Request?) -> Response { self.fault(fault, request) }

  /// The limits that are durations, in nanoseconds.
  struct Times {
    let head, upload, download, betweenRequests, grace, stall: UInt64
    /// How often late clients are looked for.
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
