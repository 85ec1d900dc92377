import Glibc

/// The last response on a connection, written without libmicrohttpd, and the wait for the client to read it. If a socket is closed while
/// bytes of the client are unread, the kernel resets the connection, and the reset destroys the response. The wait is bounded in time and
/// bytes. Used only on the loop's thread.
final class LingeringClose {
  /// The client's address, by which the connection is counted.
  let host: String
  private let descriptor: Int32
  private var rest: ArraySlice<UInt8>
  private var room = LingeringClose.readLimit
  private var hasEnded = false
  private let deadline: UInt64
  private var nextLook: UInt64 = 0

  /// Maximum number of the client's bytes that are read and dropped. The shipped nginx configuration accepts bodies of the same size,
  /// because a proxy that cannot send its whole request answers 502 instead of forwarding the response.
  private static let readLimit = 2 << 20
  private static let patience: UInt64 = 2_000_000_000
  /// The interval, in nanoseconds, at which the loop sends and reads on this connection even if it is too busy to poll.
  private static let interval: UInt64 = 5_000_000

  /// Takes ownership of the descriptor and sends as much as possible without blocking.
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

  /// The descriptor and event for `poll`.
  var watch: pollfd { pollfd(fd: descriptor, events: Int16(rest.isEmpty ? POLLIN : POLLOUT), revents: 0) }

  /// The nanoseconds until the deadline. `now` is in `Monotonic` nanoseconds.
  func remaining(at now: UInt64) -> UInt64 { deadline - min(deadline, now) }

  /// Sends and reads as much as possible without blocking. Returns true when the connection can be closed.
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

  /// Reads and drops the client's bytes. Returns true if the client has closed, the connection has failed, or the limit of bytes is
  /// reached.
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
