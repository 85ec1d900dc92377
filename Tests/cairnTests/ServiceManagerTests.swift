import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Service manager` {
  @Test func `the service manager is notified of readiness and of the stop`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let listener = try NotifySocket(folder.appending(path: "notify").path)
    let service = try await Service(environment: ["NOTIFY_SOCKET": listener.path])
    #expect(try listener.next() == "READY=1\nSTATUS=listens on http://127.0.0.1:\(service.port)\n")
    #expect(service.terminate() == 0)
    #expect(try listener.next().hasPrefix("STOPPING=1\n"))
  }

  @Test(arguments: ["", "relative", "/no/such/socket", "@cairn-nobody-listens"])
  func `the service does not wait for the service manager`(place: String) async throws {
    let service = try await Service(environment: ["NOTIFY_SOCKET": place])
    #expect(try await service.session("shop").created.status == 201)
    #expect(service.terminate() == 0)
  }
}
