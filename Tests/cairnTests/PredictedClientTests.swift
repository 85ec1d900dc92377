import CairnClient
import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads, .timeLimit(TestTimeout.limit)) struct `The predicting Swift client without the service` {
  @Test func `shown actions wait for the service and run once, and others fail unless they are queued`() async throws {
    // A port that is free now, so that the service can use it again after each start.
    let free = try TinyServer { _ in .hangUp }
    free.stop()
    let service = try await Service(arguments: ["--port", "\(free.port)", "--predict", "shop"])
    let url = try #require(URL(string: "http://127.0.0.1:\(service.port)"))
    let client = CairnClient(url: url, retry: RetryPolicy(first: .milliseconds(20), longest: .milliseconds(200)))
    let session = try await client.start(app: "shop", SessionStart(accessToken: "t"))
    let predicted = try #require(try await session.predicting())
    var updates = await predicted.updates.makeAsyncIterator()
    _ = await updates.next()
    var products: [String] = []
    var taps: [Task<ActionAnswer, any Error>] = []
    for round in 0..<3 {
      service.crash()
      // The action is not shown, so it fails after the number of attempts that the policy permits. The next action fails at once.
      await #expect(throws: ClientError.self) { try await predicted.act(.appState(.background)) }
      #expect(await predicted.isOffline)
      await #expect(throws: ClientError.self) { try await predicted.act(.appState(.background)) }
      await #expect(throws: ClientError.self, "a token never waits") { try await predicted.act(.token("t"), queue: true) }
      for number in 1...4 {
        let id = round * 10 + number
        taps.append(Task { try await predicted.step("productIsPicked", ["productId": .integer(id)]) })
        products.append("product(productId: \(id))")
        #expect(await updates.next()?.tree.sketch == "main[home, \(products.joined(separator: ", "))]")
      }
      try await service.start()
      for tap in taps { #expect(try await tap.value.outcome == .performed) }
      #expect(await !predicted.isOffline)
    }
    service.crash()
    await #expect(throws: ClientError.self) { try await predicted.act(.logout) }
    let logout = Task.immediate { try await predicted.act(.logout, queue: true) }
    try await service.start()
    #expect(try await logout.value.outcome == .performed)
    // Confirming the predicted actions changed nothing, so this is the next update.
    #expect(await updates.next()?.tree.sketch == "main[welcome]")
    #expect(try await session.session().tree == predicted.tree)
    let entries = try await session.history(limit: 100).entries
    #expect(entries.count == 14 && entries.dropFirst().allSatisfy { $0.json["sender"] != nil })
  }
}
