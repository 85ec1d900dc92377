import CMicroHTTPD
import CairnRuntime
import Glibc
import Synchronization

/// Accepts connections from one listening socket for all loops, and counts them. May be used on any thread; only the first loop's thread
/// may call `admit`.
final class ConnectionAcceptor: Sendable {
  private struct Guests {
    var count = 0
    var byAddress: [String: Int] = [:]

    mutating func enter(_ host: String) {
      count += 1
      byAddress[SocketAddress.client(of: host), default: 0] += 1
    }
  }

  /// The result of accepting a connection.
  enum Admission {
    case admitted(Arrival)
    /// A connection that must be refused with a response.
    case refused(Arrival, Fault)
    /// No connection was accepted. The cases in order: the connection was aborted, the queue is empty, `Limits.connections` is reached, or
    /// the system has no descriptor or memory for another connection.
    case gone, nobody, full, outOfDescriptors
  }

  let socket: ListeningSocket
  let limits: Limits
  /// Called with the client's address for each connection that is refused because the address has too many connections.
  private let refused: @Sendable (String) -> Void
  /// Called with each line for the log.
  let log: @Sendable (String) -> Void
  private let guests = Lock(Guests())
  private let turnedAway = Atomic(0)

  init(_ socket: ListeningSocket, limits: Limits, refused: @escaping @Sendable (String) -> Void, log: @escaping @Sendable (String) -> Void)
  {
    self.refused = refused
    self.log = log
    self.socket = socket
    self.limits = limits
  }

  /// The number of connections refused so far.
  var refusals: Int { turnedAway.load(ordering: .relaxed) }

  /// Whether `Limits.connections` is reached.
  var isFull: Bool { guests.withLock { $0.count >= limits.connections } }

  /// Accepts the next connection in the queue and checks the limit of its address. While `Limits.connections` is reached, connections stay
  /// in the queue if `tellsFull` is `false`, and are refused with a response if it is `true`.
  func admit(tellsFull: Bool) -> Admission {
    let isFull = isFull
    guard !isFull || tellsFull else { return .full }
    var descriptor: Int32 = -1
    let address = SocketAddress {
      descriptor = accept(socket.descriptor, $0, $1)
      return descriptor < 0 ? -1 : 0
    }
    guard let address else {
      switch errno {
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .outOfDescriptors
      case ECONNABORTED: return .gone
      default: return .nobody
      }
    }
    SocketOptions.limitUnsent(descriptor)
    let host = address.host
    let arrival = Arrival(descriptor: descriptor, address: address, host: host)
    guard !isFull else { return refuse(arrival, .full) }
    let isExempt = limits.connectionsPerAddress == 0 || limits.isExempt(host)
    let isWelcome = guests.withLock {
      let isWelcome = isExempt || $0.byAddress[SocketAddress.client(of: host), default: 0] < limits.connectionsPerAddress
      if isWelcome { $0.enter(host) }
      return isWelcome
    }
    if !isWelcome { refused(host) }
    return isWelcome ? .admitted(arrival) : refuse(arrival, .tooManyConnections(limit: limits.connectionsPerAddress))
  }

  private func refuse(_ arrival: Arrival, _ fault: Fault) -> Admission {
    turnedAway.add(1, ordering: .relaxed)
    return .refused(arrival, fault)
  }

  /// Counts a refused connection from `host`. The connection stays open until its response has been sent.
  func countIn(_ host: String) { guests.withLock { $0.enter(host) } }

  /// Removes a closed connection from `host` from the counts.
  func left(_ host: String) {
    guests.withLock { guests in
      guests.count -= 1
      let client = SocketAddress.client(of: host)
      if let count = guests.byAddress[client] { guests.byAddress[client] = count > 1 ? count - 1 : nil }
    }
  }

  /// Shuts the listening socket down, so that it accepts no more connections.
  func shut() { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }

  /// Closes the listening socket. No thread may use it after this call.
  func close() { Glibc.close(socket.descriptor) }
}
