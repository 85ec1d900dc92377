import Glibc

/// An IPv4 or IPv6 address with a port, as the system calls use it.
struct SocketAddress: Sendable {
  private var storage = sockaddr_storage()

  /// Parses an address literal (IPv6 with or without brackets) or `localhost`. Returns `nil` for any other host, because names are not
  /// resolved, and for an invalid port.
  init?(host: String, port: Int) {
    guard let port = UInt16(exactly: port) else { return nil }
    var literal = host == "localhost" ? "127.0.0.1" : host
    if literal.hasPrefix("["), literal.hasSuffix("]") { literal = String(literal.dropFirst().dropLast()) }
    var four = sockaddr_in()
    var six = sockaddr_in6()
    if inet_pton(AF_INET, literal, &four.sin_addr) == 1 {
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = port.bigEndian
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: four, as: sockaddr_in.self) }
    } else if inet_pton(AF_INET6, literal, &six.sin6_addr) == 1 {
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = port.bigEndian
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: six, as: sockaddr_in6.self) }
    } else {
      return nil
    }
  }

  /// Creates the address that `fill` writes. `fill` makes a system call such as `accept`, which gets a pointer to the storage and its size.
  /// Returns `nil` if the call's result is not 0; `errno` is then set.
  init?(_ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { fill($0, &size) }
    }
    guard result == 0 else { return nil }
  }

  /// Returns the address to which a socket is bound; `nil` if the call fails, which sets `errno`.
  static func local(of descriptor: Int32) -> SocketAddress? { SocketAddress { getsockname(descriptor, $0, $1) } }

  /// The address family: `AF_INET` or `AF_INET6`.
  var family: Int32 { Int32(storage.ss_family) }

  /// The port in host byte order.
  var port: Int {
    withUnsafeBytes(of: storage) {
      let port = family == AF_INET6 ? $0.load(as: sockaddr_in6.self).sin6_port : $0.load(as: sockaddr_in.self).sin_port
      return Int(UInt16(bigEndian: port))
    }
  }

  /// The address without its port. An IPv4 address mapped into IPv6 is returned as IPv4.
  var host: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    withUnsafeBytes(of: storage) {
      if family == AF_INET6 {
        var address = $0.load(as: sockaddr_in6.self).sin6_addr
        inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
      } else {
        var address = $0.load(as: sockaddr_in.self).sin_addr
        inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
      }
    }
    let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return host.hasPrefix("::ffff:") && host.contains(".") ? String(host.dropFirst(7)) : host
  }

  /// Returns the address by which connections are counted. For IPv4, this is the address itself. For IPv6, it is the /64 network, because
  /// one customer usually owns all addresses of a /64 network.
  static func client(of host: String) -> String {
    guard host.utf8.contains(UInt8(ascii: ":")), var address = SocketAddress(host: host, port: 0) else { return host }
    withUnsafeMutableBytes(of: &address.storage) {
      var six = $0.load(as: sockaddr_in6.self)
      withUnsafeMutableBytes(of: &six.sin6_addr) { for index in 8..<16 { $0[index] = 0 } }
      $0.storeBytes(of: six, as: sockaddr_in6.self)
    }
    return address.host
  }

  /// Calls `body` with a pointer to the address and its size, as system calls require.
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    let size = family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    return withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(size)) }
    }
  }
}
