import Glibc

/// An IPv4 or IPv6 address with a port, in the form of the system calls.
struct SocketAddress: Sendable {
  private var storage = sockaddr_storage()

  /// Parses an IP address (IPv6 with or without brackets) or `localhost`. Returns `nil` for anything else. Names are not resolved.
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

  /// The address that a system call fills in, with room for the longest. Returns `nil` if the call fails; `errno` is set.
  init?(_ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { fill($0, &size) }
    }
    guard result == 0 else { return nil }
  }

  /// The address to which a socket is bound; `nil` if the system call fails, with `errno` set.
  static func local(of descriptor: Int32) -> SocketAddress? { SocketAddress { getsockname(descriptor, $0, $1) } }

  /// `AF_INET` or `AF_INET6`.
  var family: Int32 { Int32(storage.ss_family) }

  /// The port in the machine's byte order.
  var port: Int {
    withUnsafeBytes(of: storage) {
      let port = family == AF_INET6 ? $0.load(as: sockaddr_in6.self).sin6_port : $0.load(as: sockaddr_in.self).sin_port
      return Int(UInt16(bigEndian: port))
    }
  }

  /// The address without the port. An IPv4 client of an IPv6 socket has an IPv4 address.
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

  /// The unit to which limits per client apply: an IPv4 address, or a /64 network of IPv6, whose addresses all belong to one customer.
  static func client(of host: String) -> String {
    guard host.utf8.contains(UInt8(ascii: ":")), var address = SocketAddress(host: host, port: 0) else { return host }
    withUnsafeMutableBytes(of: &address.storage) {
      var six = $0.load(as: sockaddr_in6.self)
      withUnsafeMutableBytes(of: &six.sin6_addr) { for index in 8..<16 { $0[index] = 0 } }
      $0.storeBytes(of: six, as: sockaddr_in6.self)
    }
    return address.host
  }

  /// Passes the address and its size to a system call.
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    let size = family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    return withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(size)) }
    }
  }
}
