import Glibc

/// What is set on sockets.
enum SocketOptions {
  /// Closing throws away what was not sent, and tells the client so at once.
  static func resetAtClose(_ descriptor: Int32) {
    var hard = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
  }

  /// A second descriptor of the same socket; nil: the process has none left.
  static func copy(_ descriptor: Int32) -> Int32? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    return copy < 0 ? nil : copy
  }
}
