import Glibc

/// Sends the final response of a connection without libmicrohttpd, and waits until the client has read it. Closing a socket with unread bytes of the
/// client would reset the connection and destroy the response. Bounded in time and bytes. Only for the loop's thread.
final class LingeringClose {
  /// The client's address, whose connection is counted until the end.
  let host: String
  private let descriptor: Int32
  private var rest: ArraySlice<UInt8>
  private var room = LingeringClose.readLimit
  private var hasEnded = false
  private let deadline: UInt64
  private var nextLook: UInt64 = 0

  /// The maximum number of the client's bytes that are read and discarded, and the maximum time in nanoseconds. It is as much as the shipped nginx
  /// configuration lets through, because a proxy that cannot finish its request responds with 502 instead of forwarding the response.
  private static let readLimit = 2 << 20
  private static let patience: UInt64 = 2_000_000_000
  /// The interval in nanoseconds at which a busy loop checks the connection.
  private static let interval: UInt64 = 5_000_000

  /// Takes the descriptor over, and sends as much as possible at once.
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

  /// The nanoseconds until the deadline.
  func remaining(at now: UInt64) -> UInt64 { deadline - min(deadline, now) }

  /// Continues without blocking. Returns `true` if the close is complete.
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

  /// Reads and discards bytes. Returns `true` if the client has closed its side or has sent too much.
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
