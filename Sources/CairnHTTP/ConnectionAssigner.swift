import CairnRuntime
import Synchronization

/// The first loop's view of the doorway: accepts waiting connections and gives each to the loop with the fewest. Only for that loop's
/// thread.
struct ConnectionAssigner {
  private let acceptor: ConnectionAcceptor
  private let loops: [EventLoop]
  private var isShut = false
  private var nextLook: UInt64 = 0
  private var pausedUntil: UInt64 = 0
  private var fullSince: UInt64?
  private let fullPatience: UInt64
  /// When the next line about missing descriptors may come.
  private var quietUntil: UInt64 = 0

  /// A busy loop does not wait for descriptors, and looks for itself so often, in nanoseconds.
  private static let interval: UInt64 = 1_000_000
  /// Nanoseconds between two lines about missing descriptors.
  private static let silence: UInt64 = 10_000_000_000

  init(_ acceptor: ConnectionAcceptor, _ loops: [EventLoop]) {
    self.acceptor = acceptor
    self.loops = loops
    fullPatience = acceptor.limits.fullPatience.nanoseconds
  }

  /// The descriptor to wait for; -1: no connection can be accepted now.
  var descriptor: Int32 { isShut || pausedUntil > 0 ? -1 : acceptor.socket.descriptor }

  /// Nanoseconds until it must look again by itself; nil: it need not.
  func pause(at now: UInt64) -> UInt64? { pausedUntil == 0 || isShut ? nil : pausedUntil - min(pausedUntil, now) }

  /// Accepts a few waiting connections at a time; `turnAway` gets the refused ones, and their descriptors.
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
  /// The number of its connections, for the choice of a loop.
  var load: Int { figures.connections.load(ordering: .relaxed) }
}
