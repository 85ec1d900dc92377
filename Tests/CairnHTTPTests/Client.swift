import CairnTesting
import Glibc

/// A response that a test received.
struct Received {
  var status = 0
  var head = ""
  var body = ""

  /// The first value of a header, or `nil` if it is absent.
  subscript(name: String) -> String? {
    for line in head.split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == name.lowercased() { return String(parts[1].drop { $0 == " " }) }
    }
    return nil
  }
}

/// The reasons for which a connection or a response fails.
enum ClientError: Error { case noConnection(Int32), closed, notHTTP(String) }

/// A blocking raw socket. It sends exactly the given bytes, and fails after `TestTimeout` without any bytes.
/// `@unchecked` because one thread may send while another receives. Both share only the descriptor.
final class Client: @unchecked Sendable {
  private let descriptor: Int32
  private let host: String
  private var buffer: [UInt8] = []

  /// Creates the socket without connecting it.
  init(host: String = "127.0.0.1") {
    self.host = host
    descriptor = socket(host.contains(":") ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  }

  convenience init(_ port: Int, host: String = "127.0.0.1") throws {
    self.init(host: host)
    try connect(to: port)
  }

  func connect(to port: Int) throws {
    let isSix = host.contains(":")
    let result: Int32
    if isSix {
      var six = sockaddr_in6()
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = UInt16(port).bigEndian
      inet_pton(AF_INET6, host, &six.sin6_addr)
      result = withUnsafePointer(to: &six) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] in
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    } else {
      var four = sockaddr_in()
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = UInt16(port).bigEndian
      inet_pton(AF_INET, host, &four.sin_addr)
      result = withUnsafePointer(to: &four) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] in
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    guard result == 0 else { throw ClientError.noConnection(errno) }
  }

  deinit { close(descriptor) }

  /// Sends all of the text. Bytes after the connection has closed are dropped.
  func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends all of the bytes. Bytes after the connection has closed are dropped.
  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Makes the connection end with RST instead of FIN.
  func breakOff() {
    var hard = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
  }

  /// Closes only the sending side.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Receives one response with a Content-Length. `head` is true for the response to HEAD, which has no body.
  func receive(head: Bool = false) throws -> Received {
    while true {
      if let end = endOfHead() {
        let text = String(decoding: buffer[..<end], as: UTF8.self)
        var received = Received(head: text)
        guard text.hasPrefix("HTTP/1.1 "), let status = Int(text.dropFirst(9).prefix(3)) else { throw ClientError.notHTTP(text) }
        received.status = status
        let isBodiless = head || status < 200 || status == 204 || status == 304
        let length = isBodiless ? 0 : Int(received["Content-Length"] ?? "0") ?? 0
        while buffer.count < end + length { try fill() }
        received.body = String(decoding: buffer[end..<end + length], as: UTF8.self)
        buffer.removeFirst(end + length)
        return received
      }
      try fill()
    }
  }

  /// Receives one response and returns the bytes of its body.
  func receiveBytes() throws -> [UInt8] {
    while true {
      if let end = endOfHead() {
        let received = Received(head: String(decoding: buffer[..<end], as: UTF8.self))
        let length = Int(received["Content-Length"] ?? "0") ?? 0
        while buffer.count < end + length { try fill() }
        defer { buffer.removeFirst(end + length) }
        return Array(buffer[end..<end + length])
      }
      try fill()
    }
  }

  /// The number of unread bytes in the socket buffer, at most 64 KiB.
  var unread: Int {
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { room in
      max(0, recv(descriptor, room.baseAddress, room.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)))
    }
  }

  /// Receives everything up to and including `end`.
  func receive(through end: String) throws -> String {
    let end = Array(end.utf8)
    var looked = 0
    while true {
      while looked + end.count <= buffer.count {
        if buffer[looked] == end[0], buffer[looked..<looked + end.count].elementsEqual(end) {
          defer { buffer.removeFirst(looked + end.count) }
          return String(decoding: buffer[..<(looked + end.count)], as: UTF8.self)
        }
        looked += 1
      }
      try fill()
    }
  }

  /// Receives everything until the server closes the connection.
  func receiveToEnd() throws -> String {
    while true {
      do {
        try fill()
      } catch ClientError.closed {
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
      }
    }
  }

  private func endOfHead() -> Int? {
    guard buffer.count >= 4 else { return nil }
    for index in 0...(buffer.count - 4) where buffer[index..<index + 4].elementsEqual([13, 10, 13, 10]) { return index + 4 }
    return nil
  }

  private func fill() throws {
    guard try awaitBytes("a byte of the server", from: descriptor, into: &buffer) else { throw ClientError.closed }
  }
}
