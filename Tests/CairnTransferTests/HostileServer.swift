import CairnRuntime
import CairnTesting
import Glibc

/// A server on a port of loopback that sends malformed or endless responses. It stops when it is released, so a test must keep a reference
/// until its exchanges have ended.
final class HostileServer: Sendable {
  /// The bytes that are sent for each request: a beginning, and then a chunk repeatedly. `pause` is in milliseconds, before each chunk.
  struct Script: Sendable {
    var beginning: [UInt8]
    var chunk: [UInt8] = []
    var pause = 0
    /// Whether the connection closes after the last byte. Otherwise it stays open and silent until the next request, because a client may
    /// reuse a connection after a complete response.
    var closes = false

    init(_ beginning: String, chunk: String = "", pause: Int = 0, closes: Bool = false) {
      self.init(Array(beginning.utf8), chunk: Array(chunk.utf8), pause: pause, closes: closes)
    }

    init(_ beginning: [UInt8], chunk: [UInt8] = [], pause: Int = 0, closes: Bool = false) {
      (self.beginning, self.chunk, self.pause, self.closes) = (beginning, chunk, pause, closes)
    }
  }

  let url: String
  private let listener: Int32
  private let accepted = Monitor(0)
  private let sent = Lock(0)

  init(_ script: Script) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 128) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else { throw NeverCame() }
    self.listener = listener
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"
    let (accepted, sent) = (accepted, sent)
    _ = try NamedThread("hostile-server") {
      defer { close(listener) }
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        let talk = try? NamedThread("hostile-talk") {
          Self.talk(connection, script, accepted, sent)
          close(connection)
        }
        guard talk != nil else { return }
      }
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// The number of bytes that were sent so far.
  var sentBytes: Int { sent.withLock { $0 } }

  /// Blocks until `count` requests have been read.
  func awaitRequests(_ count: Int) throws {
    try accepted.wait(for: "\(count) requests of a hostile server") { $0 >= count ? () : nil }
  }

  private static func talk(_ connection: Int32, _ script: Script, _ accepted: Monitor<Int>, _ sent: Lock<Int>) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while recv(connection, &buffer, buffer.count, 0) > 0 {
      accepted.change { $0 += 1 }
      guard send(connection, script.beginning, script, sent) else { return }
      while !script.chunk.isEmpty {
        guard send(connection, script.chunk, script, sent) else { return }
      }
      if script.closes { return }
    }
  }

  private static func send(_ connection: Int32, _ bytes: [UInt8], _ script: Script, _ sent: Lock<Int>) -> Bool {
    if script.pause > 0 { usleep(UInt32(script.pause) * 1_000) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      sent.withLock { $0 += count }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// A gzip stream of one repeated byte without an end. 13 bits expand to 258 bytes.
enum GzipBomb {
  /// The beginning of the stream, and the part that is repeated.
  static let parts: (beginning: [UInt8], chunk: [UInt8]) = {
    // The header is that of RFC 1952, 2.3. A final block with fixed codes follows (RFC 1951, 3.2.6), with the literal `x` and matches of
    // length 258 and distance 1.
    let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    let match = [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]
    var bits = [1, 1, 0] + [1, 0, 1, 0, 1, 0, 0, 0]
    for _ in 0..<(8 * 1_000) { bits += match }
    let bytes = stride(from: 0, to: bits.count - 7, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | UInt8(bits[start + $1]) << UInt8($1) }
    }
    // From the third byte on, the stream repeats every 13 bytes.
    return (header + bytes[..<2], Array(bytes[2..<(2 + 13 * 900)]))
  }()
}
