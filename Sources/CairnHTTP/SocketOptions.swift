import CairnRuntime
import Glibc

/// The options that sockets get.
enum SocketOptions {
  /// Closing throws away what was not sent, and tells the client so at once.
  static func resetAtClose(_ descriptor: Int32) {
    var hard = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
  }

  /// Small pieces leave at once, a client that acknowledges nothing for so long is gone, and the kernel keeps no megabytes for one that does not
  /// read: there may be many.
  static func prepareStream(_ descriptor: Int32, patience: Duration) {
    var off: Int32 = 0
    var on: Int32 = 1
    var milliseconds = UInt32(clamping: patience.nanoseconds / 1_000_000)
    var buffer: Int32 = 128 << 10
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &buffer, size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CORK, &off, size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, size)
  }

  /// A second descriptor of the same socket; nil: the process has none left.
  static func copy(_ descriptor: Int32) -> Int32? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    return copy < 0 ? nil : copy
  }
}
