import CairnRuntime
import Glibc

/// The options of accepted sockets.
enum SocketOptions {
  /// Configures the socket so that a close discards unsent bytes and resets the connection. The client is then notified immediately.
  static func resetAtClose(_ descriptor: Int32) {
    var hard = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
  }

  /// Limits the number of response bytes that the kernel accepts before it has sent them. Without the limit, the kernel stores up to 4 MB
  /// (`tcp_wmem`) for each client that requests much and reads nothing. It copies these bytes on the thread that serves the other clients.
  static func limitUnsent(_ descriptor: Int32) {
    var bytes: Int32 = 128 << 10
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &bytes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Prepares the socket of an event stream. Small writes are sent at once, and a client that acknowledges nothing for `timeout` is
  /// disconnected. The send buffer stays small because a process may hold many streams.
  static func prepareStream(_ descriptor: Int32, timeout: Duration) {
    var off: Int32 = 0
    var on: Int32 = 1
    var milliseconds = UInt32(clamping: timeout.nanoseconds / 1_000_000)
    var buffer: Int32 = 128 << 10
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &buffer, size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CORK, &off, size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, size)
  }

  /// Returns a second descriptor of the same socket; `nil` if the process has no free descriptor.
  static func copy(_ descriptor: Int32) -> Int32? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    return copy < 0 ? nil : copy
  }
}
