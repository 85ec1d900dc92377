import Glibc

/// The final response on a connection, written past libmicrohttpd, and the wait for its client to read it. A socket that is closed while
/// bytes of the client lie unread is reset, and a reset destroys the response. Bounded in time and bytes. Only for its loop's thread.
final class LingeringClose {
  /// Where the connection came from, to be counted out at the end.
  let host: String
  private let descriptor: Int32
  private var rest: ArraySlice<UInt8>
  private var room = LingeringClose.readLimit
  private var hasEnded = false
  private let deadline: UInt64
  private var nextLook: UInt64 = 0

  /// Bytes of the client that are read and dropped, and for how many nanoseconds. As many as the shipped nginx site lets through: a proxy
  /// that cannot finish its request answers 502 instead of passing the response on.
  private static let readLimit = 2 << 20
  private static let patience: UInt64 = 2_000_000_000
  /// How often a busy loop looks, in nanoseconds.
  private static let interval: UInt64 = 5_000_000

  /// Takes the descriptor over, and sends at once what goes.
  init(_ descriptor: Int32, host: String, answer: [UInt8], now: UInt64) {
    self.descriptor = descriptor
    self.host = host
    rest = answer[...]
    deadline = now + Self.patience
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    send()
  }

  deinit { close(descriptor) }

  /// The condition to wait for.
  var watch: pollfd { pollfd(fd: descriptor, events: Int16(rest.isEmpty ? POLLIN : POLLOUT), revents: 0) }

  /// Nanoseconds until its deadline.
  func remaining(at now: UInt64) -> UInt64 { deadline - min(deadline, now) }

  /// Continues without blocking. Returns true when it has ended.
  func isOver(at now: UInt64, isReady: Bool) -> Bool {
    guard now < deadline else { return true }
    guard isReady || now >= nextLook else { return false }
    nextLook = now + Self.interval
    send()
    return rest.isEmpty && drop()
  }

  private func send() {
    guard !hasEnded else { return }
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) }
      guard count > 0 else {
        if errno != EAGAIN, errno != EINTR { rest = [] }
        break
      }
      rest = rest.dropFirst(count)
    }
    hasEnded = rest.isEmpty
    if hasEnded { shutdown(descriptor, Int32(SHUT_WR)) }
  }

  /// Reads and drops. True: the client has ended too, or has sent too much.
  private func drop() -> Bool {
    var waste: Int = 0
    return withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
      while room > waste {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else {
          room -= waste
          return count == 0 || errno != EAGAIN && errno != EINTR
        }
        waste += count
      }
      return true
    }
  }
}
