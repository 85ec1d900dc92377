import CairnRuntime
import Glibc

/// One connection, from accept to close, with the moment by which its client must have done the next thing.
///
/// libmicrohttpd's own timeout counts silence only: a client that drips a byte now and then is never late. Any thread.
final class Peer: Sendable {
  private struct State {
    var descriptor: Int32?
    /// `Monotonic` nanoseconds; nil while it is our turn.
    var deadline: UInt64?
    var requests = 0
    var exchange: Exchange?
  }

  let core: Core
  let number: Int
  let address: String
  private let state: Lock<State>

  init(core: Core, number: Int, address: String, descriptor: Int32) {
    self.core = core
    self.number = number
    self.address = address
    state = Lock(State(descriptor: descriptor, deadline: Monotonic.deadline(after: core.limits.head)))
  }

  /// The request being read or answered, if any.
  var exchange: Exchange? { state.withLock { $0.exchange } }

  /// A request line has come: its headers have the head's time, and not longer than was left. Gives the request's number, from 1.
  func begin(_ exchange: Exchange) -> Int {
    let deadline = Monotonic.deadline(after: core.limits.head)
    return state.withLock {
      $0.exchange = exchange
      $0.requests += 1
      $0.deadline = min(deadline, $0.deadline ?? deadline)
      return $0.requests
    }
  }

  /// The client has this long for what it does now; nil: it waits for us.
  func allow(_ duration: Duration?) {
    let deadline = duration.map(Monotonic.deadline(after:))
    state.withLock { $0.deadline = deadline }
  }

  /// The response is sent. The next request line may take as long as an idle connection may live and a head may take:
  /// where its first byte came, libmicrohttpd does not say.
  func finish() {
    let deadline = Monotonic.deadline(after: core.limits.idle + core.limits.head)
    state.withLock {
      $0.exchange = nil
      $0.deadline = deadline
    }
  }

  /// The descriptor is about to be closed, and from then on may be another's.
  func close() {
    state.withLock {
      $0.descriptor = nil
      $0.deadline = nil
      $0.exchange = nil
    }
  }

  /// Shuts the socket down when its client is late; libmicrohttpd then sees the end and closes. True when it did.
  func cut(ifLateAt now: UInt64) -> Bool {
    state.withLock {
      guard let deadline = $0.deadline, deadline <= now, let descriptor = $0.descriptor else { return false }
      $0.deadline = nil
      shutdown(descriptor, Int32(SHUT_RDWR))
      return true
    }
  }
}
