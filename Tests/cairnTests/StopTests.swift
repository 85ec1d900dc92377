import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Stop of the service` {
  @Test func `during the stop delay requests are served, and readiness fails`() async throws {
    let service = try await Service(environment: ["CAIRN_STOP_DELAY": "1h"])
    let end = Task.onOwnThreads { service.terminate() }
    try await waitInTask(for: "503 from /readyz") { try await service.send("GET", "/readyz").status == 503 }
    let session = try await service.session("shop", ["accessToken": "t"])
    #expect(try await session.step("productIsPicked", ["productId": 1]).status == 200)
    service.crash()
    _ = await end.value
  }

  @Test func `the service ends when the delay has passed`() async throws {
    let service = try await Service(environment: ["CAIRN_STOP_DELAY": "300ms"])
    let start = ContinuousClock.now
    #expect(service.terminate() == 0)
    #expect(ContinuousClock.now - start >= .milliseconds(300))
  }

  @Test func `slow clients do not delay the stop`() async throws {
    let service = try await Service()
    let sockets = try (0..<3).map { _ in try Socket(service.port) }
    sockets[0].send("GET /v1/apps HT")
    sockets[1].send("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
    sockets[2].send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try await service.send("GET", "/livez").status == 200)
    #expect(service.terminate() == 0)
    #expect(!(try String(contentsOf: service.log, encoding: .utf8)).contains("although requests are still in progress"))
  }
}

/// A connection that sends the given bytes, and reads nothing.
private final class Socket {
  private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)

  init(_ port: Int) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] in
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Service.Failure("no connection: \(errno)") }
  }

  deinit { close(descriptor) }

  func send(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0) } }
}
