import CairnPostgresTesting
import CairnRuntime
import Glibc
import Testing

/// Forwards connections to a server on the loopback. A test can cut a connection at a certain point.
final class CuttingProxy: Sendable {
  /// The next cut, of the first connection that fulfils its conditions.
  struct Cut: Sendable, Hashable, CustomTestStringConvertible {
    /// Whether to cut when the server responds. Otherwise the cut happens when the client sends data.
    var isOfAnswer: Bool
    /// The number of bytes that are still forwarded.
    var bytes = 0
    /// Whether the connection stays open but forwards nothing more.
    var isSilent = false
    /// Whether no connection is accepted after the cut.
    var isLast = false
    /// If set, only a request with this text or the response to it is cut, because the journal also sends requests in the background.
    var request: String?

    var testDescription: String { "\(isOfAnswer ? "answer" : "request") after \(bytes) bytes\(isSilent ? ", silent" : "")" }
  }

  let port: Int
  private let listener: Int32
  private let target: Int
  private let cut = Monitor<Cut?>(nil)

  init(to target: Int) throws {
    self.target = target
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    port = try Self.bind(listener)
    listen(listener, 16)
    _ = try NamedThread("proxy") { [listener, target, cut] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        guard let server = Self.connect(to: target) else {
          close(client)
          continue
        }
        Self.forward(client, server, cut, listener)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Cuts a connection at the next opportunity.
  func cutNext(_ kind: Cut) { cut.change { $0 = kind } }

  /// Whether the cut has happened.
  var hasCut: Bool { cut.withLock { $0 == nil } }

  private static func forward(_ client: Int32, _ server: Int32, _ cut: Monitor<Cut?>, _ listener: Int32) {
    let open = Lock(2)
    let isSilent = Lock(false)
    let lastRequest = Lock("")
    for (from, to, isOfAnswer) in [(client, server, false), (server, client, true)] {
      _ = try? NamedThread("proxy-part") {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
          let count = recv(from, &bytes, bytes.count, 0)
          guard count > 0 else { break }
          if isSilent.withLock({ $0 }) { continue }
          if !isOfAnswer { lastRequest.withLock { $0 = String(decoding: bytes[..<count], as: UTF8.self) } }
          let taken = cut.change { cut -> Cut? in
            guard let next = cut, next.isOfAnswer == isOfAnswer else { return nil }
            if let request = next.request, !lastRequest.withLock({ $0.contains(request) }) { return nil }
            cut = nil
            if next.isLast { shutdown(listener, Int32(SHUT_RDWR)) }
            return next
          }
          let forwarded = min(count, taken?.bytes ?? count)
          guard forwarded == 0 || send(to, bytes, forwarded, Int32(MSG_NOSIGNAL)) == forwarded else { break }
          guard let taken else { continue }
          guard taken.isSilent else { break }
          isSilent.withLock { $0 = true }
        }
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
        let isLast = open.withLock { open in
          open -= 1
          return open == 0
        }
        if isLast {
          close(client)
          close(server)
        }
      }
    }
  }

  private static func bind(_ descriptor: Int32) throws -> Int {
    var address = self.address(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw PostgresServer.NotStarted(output: "no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private static func connect(to port: Int) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = self.address(port)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if !isConnected { close(descriptor) }
    return isConnected ? descriptor : nil
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    return address
  }
}
