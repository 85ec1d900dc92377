import Foundation
import Testing

/// A manager's end of a notification socket.
private final class Listener {
  let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    // Nobody waits for ever for what does not come.
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let bound = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    try #require(descriptor >= 0 && bound == 0)
  }

  deinit { close(descriptor) }

  /// What is said next.
  func next() -> String {
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

@Suite struct `Whoever manages the service` {
  @Test func `is told when it is ready and when it stops`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let listener = try Listener(folder.appending(path: "notify").path)
    let service = try await Service(environment: ["NOTIFY_SOCKET": listener.path])
    #expect(listener.next() == "READY=1\nSTATUS=listens on http://127.0.0.1:\(service.port)\n")
    #expect(service.terminate() == 0)
    #expect(listener.next().hasPrefix("STOPPING=1\n"))
  }

  @Test(arguments: ["", "relative", "/no/such/socket", "@cairn-nobody-listens"])
  func `is not waited for`(place: String) async throws {
    let service = try await Service(environment: ["NOTIFY_SOCKET": place])
    #expect(try await service.session("shop").created.status == 201)
    #expect(service.terminate() == 0)
  }
}
