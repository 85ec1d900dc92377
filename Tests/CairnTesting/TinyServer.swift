import CairnRuntime
import Glibc

/// A minimal HTTP server on a port of loopback that sends one response of raw bytes per connection, also malformed ones.
package final class TinyServer: Sendable {
  /// A received request.
  package struct Request: Sendable {
    /// The request line, such as `POST /token?x=1 HTTP/1.1`.
    package var line: String
    /// The header lines as received.
    package var headers: [String]
    package var body: String

    /// The value of a header, or `nil` if it was not sent.
    package func header(_ name: String) -> String? {
      headers.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }.map {
        String($0.dropFirst(name.count + 1).drop { $0 == " " })
      }
    }
  }

  /// The treatment of a connection.
  package enum Behaviour: Sendable {
    /// Sends these bytes and closes.
    case answer(String)
    /// Sends these bytes, and nothing more until the server is stopped or the client closes.
    case begin(String)
    /// Sends nothing until the server is stopped.
    case silence
    /// Closes the connection at once.
    case hangUp
    /// Sends these bytes repeatedly until the client closes.
    case flood(head: String, chunk: String)
  }

  package let port: UInt16
  private let listener: Int32
  private let requests = Monitor<[Request]>([])
  private let open = Lock<[Int32]>([])
  private let isStopped = Lock(false)

  package init(_ behave: @escaping @Sendable (Request) -> Behaviour) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(listener, generic, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, generic, &length) == 0
      }
    }
    guard listener >= 0, isListening else { throw NeverCame() }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    let (requests, open) = (requests, open)
    _ = try NamedThread("tiny-server") {
      // Closed by the accepting thread, so that the number is not reused by another server while the thread still accepts.
      defer { close(listener) }
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        open.withLock { $0.append(connection) }
        guard (try? NamedThread("tiny-talk") { Self.talk(connection, requests, open, behave) }) != nil else { return }
      }
    }
  }

  /// Sends the same response on every connection.
  package convenience init(_ status: String = "200 OK", body: String, headers: [String] = []) throws {
    let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
    let bytes = lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    try self.init { _ in .answer(bytes) }
  }

  deinit { stop() }

  /// The base URL, such as `http://127.0.0.1:PORT`.
  package var address: String { "http://127.0.0.1:\(port)" }

  /// Request number `index` (from 0). Blocks until it has been received.
  package func request(_ index: Int = 0) throws -> Request {
    try requests.wait(for: "request \(index) of a TinyServer") { $0.indices.contains(index) ? $0[index] : nil }
  }

  /// The number of requests so far.
  package var count: Int { requests.withLock { $0.count } }

  /// The number of open connections.
  package var connections: Int { open.withLock { $0.count } }

  /// Closes the listening socket.
  package func stop() {
    guard
      isStopped.withLock({ stopped in
        defer { stopped = true }
        return !stopped
      })
    else { return }
    shutdown(listener, Int32(SHUT_RDWR))
    open.withLock { for connection in $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
  }

  private static func talk(
    _ connection: Int32, _ requests: Monitor<[Request]>, _ open: Lock<[Int32]>, _ behave: (Request) -> Behaviour
  ) {
    defer {
      open.withLock { connections in
        connections.removeAll { $0 == connection }
        close(connection)
      }
    }
    guard let request = read(connection) else { return }
    requests.change { $0.append(request) }
    switch behave(request) {
    case .answer(let bytes): _ = write(connection, bytes)
    case .hangUp: break
    case .begin(let bytes):
      if write(connection, bytes) { wait(connection) }
    case .silence: wait(connection)
    case .flood(let head, let chunk):
      guard write(connection, head) else { return }
      while write(connection, chunk) {}
    }
  }

  /// Blocks until the client closes the connection.
  private static func wait(_ connection: Int32) {
    var byte: UInt8 = 0
    while recv(connection, &byte, 1, 0) > 0 {}
  }

  private static func write(_ connection: Int32, _ text: String) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let sent = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard sent > 0 else { return false }
      bytes = bytes.dropFirst(sent)
    }
    return true
  }

  private static func read(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let request = request(in: text) { return request }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer.prefix(count)
    }
  }

  private static func request(in text: String) -> Request? {
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    guard let end = lines.firstIndex(of: ""), end > 0, end < lines.count - 1, let line = lines.first else { return nil }
    let body = lines[(end + 1)...].joined(separator: "\r\n")
    let request = Request(line: String(line), headers: lines[1..<end].map(String.init), body: body)
    let length = request.header("Content-Length").flatMap(Int.init) ?? 0
    return body.utf8.count >= length ? request : nil
  }
}
