import CairnCore
import CairnTesting
import Foundation
import Testing

/// The history of a session can be exported as a scenario file, which runs in the process and with a service.
@Suite(.tags(.timing), .ownThreads) struct `History of a session as a scenario` {
  @Test func `the actions of a client are repeated`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "the-users-token"])
    _ = try await session.step("productIsPicked", ["productId": 7])
    _ = try await session.step("productIsPicked", ["productId": 8])
    _ = try await session.act(["type": "pop"])
    _ = try await session.open("shop://products/9")
    let before = try await session.get()
    let told = try await session.get("/history?as=scenario")
    #expect(told.status == 200 && told.headers["content-type"] == "application/yaml")
    #expect(!told.text.contains("the-users-token") && !told.text.contains(session.secret))
    #expect(told.text.contains("tree: \"\(before.sketch)\""))
    try told.text.write(to: service.folder.appending(path: "apps/report.scenarios.yaml"), atomically: true, encoding: .utf8)
    let url = "http://127.0.0.1:\(service.port)"
    for more in [[], ["--against", url, "--key", Service.operatorKey]] {
      let played = try await service.run(["test", "apps/report.scenarios.yaml"] + more)
      #expect(played.output == "1 passed, 0 failed\n", "\(told.text)")
    }
    #expect(try await session.get("/history?as=scenario&after=2").status == 422)
    #expect(try await session.get("/history?as=film").status == 422)
    let short = try await session.get("/history?as=scenario&limit=2")
    #expect(short.text.contains("# The scenario is incomplete") && !short.text.contains("productId: 9"))
  }
}
