import CairnClient
import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `The Swift client and a service that is killed` {
  @Test func `each action runs once and in order, whenever the service is killed`() async throws {
    // A port that is free now, so that the service can use it again after each start.
    let free = try TinyServer { _ in .hangUp }
    free.stop()
    let service = try await Service(arguments: ["--port", "\(free.port)"])
    #expect(service.port == Int(free.port))
    let url = try #require(URL(string: "http://127.0.0.1:\(service.port)"))
    let client = CairnClient(url: url, retry: RetryPolicy(attempts: 200, first: .milliseconds(20), longest: .milliseconds(200)))
    let session = try await client.start(app: "shop", SessionStart(accessToken: "t"))
    var products: [String] = []
    for round in 0..<4 {
      let tasks = (1...12).map { number in
        Task.immediate { try await session.act(.step("productIsPicked", ["productId": .integer(round * 100 + number)])) }
      }
      products += (1...12).map { "product(productId: \(round * 100 + $0))" }
      // In every other round the first response has arrived, so the numbered request is in progress.
      if round % 2 == 1 { _ = try await tasks[0].value }
      service.crash()
      try await service.start()
      for task in tasks { #expect(try await task.value.outcome == .performed) }
    }
    #expect(try await session.session().tree.sketch == "main[home, \(products.joined(separator: ", "))]")
    let senders = try await session.history(limit: 100).entries.compactMap { $0.json.at(["sender", "action"]) }
    #expect(senders.count >= 40 && senders == senders.indices.map { .integer($0 + 1) })
  }
}
