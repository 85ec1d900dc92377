import Glibc

/// One connection, from accept to close, with the moment by which its client must have done the next thing. Its loop's thread alone.
///
/// libmicrohttpd's own timeout counts silence only: a client that drips a byte now and then is never late.
final class Peer {
  let loop: EventLoop
  let number: Int
  let address: String
  private let requestPrefix: String
  /// Its place in the loop's list.
  var place = 0
  /// The request being read or answered, if any.
  private(set) var exchange: Exchange?
  private let descriptor: Int32
  /// `Monotonic` nanoseconds; `.max` while it is our turn.
  private var deadline: UInt64
  private var requests = 0

  init(_ loop: EventLoop, number: Int, address: String, descriptor: Int32) {
    self.loop = loop
    self.number = number
    self.address = address
    requestPrefix = "\(loop.context.prefix)-\(number)-"
    self.descriptor = descriptor
    deadline = loop.now + loop.context.times.head
  }

  /// The number of the request whose line has come, from 1.
  func nextRequest() -> Int {
    requests += 1
    return requests
  }

  /// The id of a request by its number.
  func requestID(_ number: Int) -> String { requestPrefix + String(number) }

  /// A request line has come: its headers have the head's time, and not longer than was left.
  func begin(_ exchange: Exchange) {
    self.exchange = exchange
    deadline = min(deadline, loop.now + loop.context.times.head)
  }

  /// The client has so many nanoseconds for what it does now; nil: it waits for us.
  func allow(_ time: UInt64?) {
    deadline = time.map { loop.now + $0 } ?? .max
  }

  /// The response is sent. The next request line may take as long as an idle connection may live and a head may take:
  /// where its first byte came, libmicrohttpd does not say.
  func finish() {
    exchange = nil
    deadline = loop.now + loop.context.times.betweenRequests
  }

  /// Whether the client has its side open; any thread. When the connection is closed and its number is another's, this may tell of that one:
  /// its requests are over then, whatever it says.
  var isThere: Bool {
    // Hang-ups and errors are told without being asked for.
    var state = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: Self.halfClosed), revents: 0)
    return poll(&state, 1, 0) == 0
  }

  /// POLLRDHUP, which Swift's Glibc does not show (bits/poll.h).
  private static let halfClosed: Int32 = 0x2000

  /// Shuts the socket down when its client is late; libmicrohttpd then sees the end and closes. True when it did.
  func cut(ifLateAt now: UInt64) -> Bool {
    guard deadline <= now else { return false }
    deadline = .max
    shutdown(descriptor, Int32(SHUT_RDWR))
    return true
  }
}
