import CairnRuntime
import Synchronization

/// Accepts waiting connections and assigns each to the loop with the fewest. Only for the first loop's thread.
struct ConnectionAssigner {
  private let acceptor: ConnectionAcceptor
  private let loops: [EventLoop]
  private var isShut = false
  private var nextLook: UInt64 = 0
  private var pausedUntil: UInt64 = 0
  private var fullSince: UInt64?
  private let fullPatience: UInt64
  /// The earliest time of the next log line about missing descriptors.
  private var quietUntil: UInt64 = 0

  /// The interval in nanoseconds at which a busy loop checks for free descriptors.
  private static let interval: UInt64 = 1_000_000
  /// The minimum nanoseconds between two log lines about missing descriptors.
  private static let silence: UInt64 = 10_000_000_000

  init(_ acceptor: ConnectionAcceptor, _ loops: [EventLoop]) {
    self.acceptor = acceptor
    self.loops = loops
    fullPatience = acceptor.limits.fullPatience.nanoseconds
  }

  /// The descriptor to wait for; -1 if no connection can be accepted now.
  var descriptor: Int32 { isShut || pausedUntil > 0 ? -1 : acceptor.socket.descriptor }

  /// The nanoseconds until the next check; `nil` if none is needed.
  func pause(at now: UInt64) -> UInt64? { pausedUntil == 0 || isShut ? nil : pausedUntil - min(pausedUntil, now) }

  /// Accepts a few waiting connections. `turnAway` receives the refused ones with their descriptors.
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
          acceptor.log("no descriptor or memory is left for a new connection; connections wait (raise LimitNOFILE, or lower `connections`)")
          quietUntil = now + Self.silence
        }
        return pausedUntil = now + 100 * Self.interval
      }
    }
  }
}

extension EventLoop {
  /// The number of connections of a loop.
  var load: Int { figures.connections.load(ordering: .relaxed) }
}
