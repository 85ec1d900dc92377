import Glibc

/// A bound, listening TCP socket. It is created here instead of by libmicrohttpd, which would lose the `errno` of a failure.
struct ListeningSocket {
  let descriptor: Int32
  /// The bound port; if port 0 was requested, the port that the system has chosen.
  let port: Int

  /// Binds an IPv4 or IPv6 literal (brackets allowed) or `localhost`, which means 127.0.0.1. `::` also accepts IPv4 connections.
  init(host: String, port: Int) throws(ServerError) {
    (descriptor, self.port) = try Self.bound(host: host, port: port)
    guard listen(descriptor, SOMAXCONN) == 0 else {
      let code = errno
      close(descriptor)
      throw Self.error(code, host: host, port: port)
    }
  }

  /// Throws the errors that `init` would throw, without listening.
  static func check(host: String, port: Int) throws(ServerError) { close(try bound(host: host, port: port).descriptor) }

  private static func bound(host: String, port: Int) throws(ServerError) -> (descriptor: Int32, port: Int) {
    guard let address = SocketAddress(host: host, port: port) else { throw .addressNotAvailable(host: host) }
    let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw error(errno, host: host, port: port) }
    var on: Int32 = 1
    var off: Int32 = 0
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
    if address.family == AF_INET6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, size) }
    guard address.withPointer({ bind(descriptor, $0, $1) == 0 }), let actual = SocketAddress.local(of: descriptor) else {
      let code = errno
      close(descriptor)
      throw error(code, host: host, port: port)
    }
    return (descriptor, actual.port)
  }

  private static func error(_ code: Int32, host: String, port: Int) -> ServerError {
    switch code {
    case EADDRINUSE: .addressInUse(host: host, port: port)
    case EACCES, EPERM: .permissionDenied(host: host, port: port)
    case EADDRNOTAVAIL, EAFNOSUPPORT: .addressNotAvailable(host: host)
    default: .cannotListen(reason: String(cString: strerror(code)))
    }
  }
}
