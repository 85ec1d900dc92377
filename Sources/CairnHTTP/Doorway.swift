import CairnRuntime
import Glibc

/// Lets connections in, from one listening socket to all loops, and counts them. Any thread, `admit` on the first loop's alone.
final class Doorway: Sendable {
  private struct Guests {
    var count = 0
    var byAddress: [String: Int] = [:]
  }

  /// What came of a look at the door.
  enum Admission { case admitted(Arrival), refused, nobody, full, outOfDescriptors }

  let socket: ListeningSocket
  private let limits: Limits
  /// Is told the address of each connection that was refused.
  private let refused: @Sendable (String) -> Void
  private let guests = Lock(Guests())

  init(_ socket: ListeningSocket, limits: Limits, refused: @escaping @Sendable (String) -> Void) {
    self.refused = refused
    self.socket = socket
    self.limits = limits
  }

  /// The next connection in the queue, if its address may open one more; else it is reset. While there are as many as there may be,
  /// all stay in the queue.
  func admit() -> Admission {
    guard guests.withLock({ $0.count < limits.connections }) else { return .full }
    var descriptor: Int32 = -1
    let address = SocketAddress {
      descriptor = accept(socket.descriptor, $0, $1)
      return descriptor < 0 ? -1 : 0
    }
    guard let address else {
      switch errno {
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .outOfDescriptors
      case ECONNABORTED: return .refused
      default: return .nobody
      }
    }
    let host = address.host
    let isExempt = limits.connectionsPerAddress == 0 || limits.isExempt(host)
    let isWelcome = guests.withLock { guests in
      guard isExempt || guests.byAddress[host, default: 0] < limits.connectionsPerAddress else { return false }
      guests.count += 1
      guests.byAddress[host, default: 0] += 1
      return true
    }
    guard isWelcome else {
      var hard = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
      Glibc.close(descriptor)
      refused(host)
      return .refused
    }
    return .admitted(Arrival(descriptor: descriptor, address: address, host: host))
  }

  /// A connection from `host` has closed.
  func left(_ host: String) {
    guests.withLock { guests in
      guests.count -= 1
      if let count = guests.byAddress[host] { guests.byAddress[host] = count > 1 ? count - 1 : nil }
    }
  }

  /// Nobody is let in any more.
  func shut() { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }

  /// Gives the descriptor back, which no thread may use any more.
  func close() { Glibc.close(socket.descriptor) }
}
