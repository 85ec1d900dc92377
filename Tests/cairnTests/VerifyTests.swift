import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Damage in a running service's database` {
  /// Replaces bytes of the database file while no process has it open.
  private func change(_ text: String, to other: String, in service: Service) throws {
    var bytes = try Data(contentsOf: service.database)
    var count = 0
    while let range = bytes.range(of: Data(text.utf8)) {
      bytes.replaceSubrange(range, with: Data(other.utf8))
      count += 1
    }
    try #require(count > 0 && text.utf8.count == other.utf8.count)
    try bytes.write(to: service.database)
  }

  @Test func `a missing database is named, not its key`() async throws {
    let service = try await Service()
    let verified = try await service.run("verify", "none.sqlite")
    #expect(verified.code == 2 && verified.error == "cairn: none.sqlite: does not exist\n", "\(verified)")
  }

  @Test func `damage is found by verify, fails readiness, is named in lists, and fails only its session`() async throws {
    let service = try await Service()
    let whole = try await service.session("qiita", ["accessToken": "t"])
    let other = try await service.session("qiita", ["accessToken": "t"])
    _ = try await other.step("search.webView", ["url": "https://example.org/to-be-found"])
    #expect(try await service.verify().code == 0)
    #expect(service.terminate() == 0)
    // Makes a difference unreadable.
    try change(#"https://example.org/to-be-found"#, to: #"https://example.org/"o-be-found"#, in: service)
    let verified = try await service.verify()
    #expect(verified.code == 1)
    #expect(verified.output.contains("session \(other.id): ") && !verified.output.contains(whole.id))
    #expect(verified.output.contains("1 session damaged"))

    try await service.start()
    #expect(try await whole.get().status == 200)
    #expect(try await other.get().status == 503)
    #expect(try await whole.step("search.webView", ["url": "https://example.org"]).status == 200)
    let list = try await service.send("GET", "/v1/sessions", secret: Service.operatorKey)
    #expect(list["damaged"] == [.string(other.id)])
    #expect(list.text.contains(whole.id))
    try await waitInTask(for: "503 from /readyz") { try await service.send("GET", "/readyz").status == 503 }
    #expect(try await service.send("GET", "/metrics").text.contains("cairn_sessions_damaged 1\n"))
    // Log lines are written asynchronously, and completely before the end of the process.
    #expect(service.terminate() == 0)
    #expect(try String(contentsOf: service.log, encoding: .utf8).contains("session \(other.id): damaged"))
  }
}
