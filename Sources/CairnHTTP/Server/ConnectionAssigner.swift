import CairnRuntime
import Synchronization

/// Accepts waiting connections, and assigns each to the loop with the fewest connections. Used only on the first loop's thread.
struct ConnectionAssigner {
  private let acceptor: ConnectionAcceptor
  private let loops: [EventLoop]
  private var isShut = false
  private var nextLook: UInt64 = 0
  private var pausedUntil: UInt64 = 0
  private var fullSince: UInt64?
  private let fullPatience: UInt64
  /// The earliest time of the next log line about missing descriptors, in `Monotonic` nanoseconds.
  private var quietUntil: UInt64 = 0

  /// The interval, in nanoseconds, at which the loop tries to accept even if it is too busy to poll descriptors.
  private static let interval: UInt64 = 1_000_000
  /// The minimum time between two log lines about missing descriptors, in nanoseconds.
  private static let silence: UInt64 = 10_000_000_000

  init(_ acceptor: ConnectionAcceptor, _ loops: [EventLoop]) {
    self.acceptor = acceptor
    self.loops = loops
    fullPatience = acceptor.limits.fullPatience.nanoseconds
  }

  /// The descriptor to poll; -1 if no connection can be accepted at the moment.
  var descriptor: Int32 { isShut || pausedUntil > 0 ? -1 : acceptor.socket.descriptor }

  /// The nanoseconds until `look` must be called even if no event arrives; `nil` unless accepting is paused.
  func pause(at now: UInt64) -> UInt64? { pausedUntil == 0 || isShut ? nil : pausedUntil - min(pausedUntil, now) }

  /// Accepts up to 64 waiting connections. Does nothing if `isShut` is true, during a pause, or if the socket is not readable and the last
  /// attempt is less than 1 ms ago. `turnAway` is called with each refused connection and must close its descriptor.
  mutating func look(_ now: UInt64, isReadable: Bool, isShut: Bool, turnAway: (Arrival, Fault) -> Void) {
    self.isShut = isShut
    guard !isShut, now >= pausedUntil, isReadable || now >= nextLook else { return }
    nextLook = now + Self.interval
    pausedUntil = 0
    for _ in 1...64 {
      if acceptor.isFull { fullSince = fullSince ?? now } else { fullSince = nil }
      let tellsFull = fullSince.map { now - $0 >= fullPatience } ?? false
      switch acceptor.admit(tellsFull: tellsFull) {
      case .admitted(let arrival):
        loops.min { $0.load < $1.load }?.take(arrival)
      case .refused(let arrival, let fault): turnAway(arrival, fault)
      case .gone: continue
      case .nobody: return
      case .full: return pausedUntil = now + 10 * Self.interval
      case .outOfDescriptors:
        if now >= quietUntil {
          acceptor.log(
            "no file descriptor or memory is available for new connections, so they wait; raise LimitNOFILE, or lower `connections`")
          quietUntil = now + Self.silence
        }
        return pausedUntil = now + 100 * Self.interval
      }
    }
  }
}

extension EventLoop {
  /// The number of connections on this loop. The next connection is assigned to the loop with the fewest.
  var load: Int { figures.connections.load(ordering: .relaxed) }
}
