import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Durable responses` {
  @Test func `a crash during a thousand posts loses no acknowledged post`() async throws {
    let service = try await Service()
    var sessions: [Driven] = []
    for _ in 0..<10 { sessions.append(try await service.session("shop", ["accessToken": "t"])) }

    // Each session posts 100 products in sequence. The service crashes after half of all responses.
    let answered = Counter()
    let newest = try await withThrowingTaskGroup(of: (Int, Reply?).self) { group in
      for (index, session) in sessions.enumerated() {
        group.addTask {
          var last: Reply?
          for product in 0..<100 {
            guard let reply = try? await session.step("productIsPicked", ["productId": .integer(product)]) else { break }
            #expect(reply.status == 200)
            last = reply
            if await answered.increment() == 500 { service.crash() }
          }
          return (index, last)
        }
      }
      var newest: [Int: Reply] = [:]
      for try await (index, reply) in group { newest[index] = reply }
      return newest
    }

    try await service.start()
    for (index, session) in sessions.enumerated() {
      let now = try await session.get()
      let acknowledged = try #require(newest[index])
      let revision = try #require(now.revision)
      // Actions in progress at the crash may have been committed. So there may be one more entry, and no duplicate.
      #expect(revision == acknowledged.revision || revision == (acknowledged.revision ?? 0) + 1)
      #expect(now.routes.count == revision)
      #expect(now.routes.starts(with: acknowledged.routes))
    }
    #expect(await answered.count >= 500)
  }

  @Test func `a restarted service returns the same bytes`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    _ = try await session.step("productIsPicked", ["productId": 1])
    let before = try await session.get()
    #expect(service.terminate() == 0)
    try await service.start()
    #expect(try await session.get().text == before.text)
  }

  @Test func `a session keeps the definition with which it was created`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    let file = service.folder.appending(path: "apps/shop.yaml")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(service.terminate() == 0)
    try text.replacingOccurrences(of: "productIsPicked", with: "productIsChosen").write(to: file, atomically: true, encoding: .utf8)
    try await service.start()
    #expect(try await session.step("productIsPicked", ["productId": 1]).routes == ["home", "product"])
    let fresh = try await service.session("shop", ["accessToken": "t"])
    #expect(try await fresh.step("productIsPicked", ["productId": 1]).status == 422)
    #expect(try await fresh.step("productIsChosen", ["productId": 1]).status == 200)
    #expect(fresh.created["definition"] != session.created["definition"])
  }

  @Test func `a deleted session leaves nothing, including its token`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "a-token-to-look-for", "label": "a-label-to-look-for"])
    let gone = try await service.send("DELETE", "/v1/sessions/\(session.id)", secret: session.secret)
    #expect(gone.status == 204)
    #expect(try await session.get().status == 401)
    let unknown = try await service.send("GET", "/v1/sessions/\(session.id)", secret: Service.operatorKey)
    #expect(unknown.status == 404)
    // While the service runs, the text is neither in the database nor in its write-ahead log.
    for file in [service.database.path, service.database.path + "-wal"] {
      let bytes = try Data(contentsOf: URL(filePath: file))
      for text in ["a-token-to-look-for", "a-label-to-look-for", session.id, session.secret] {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) in \(file)")
      }
    }
  }

  @Test func `no secret is in the log`() async throws {
    let service = try await Service()
    let session = try await service.session("qiita", ["accessToken": "a-token-to-look-for"])
    _ = try await session.open("https://app.example/cb?code=a-code-to-look-for")
    _ = try await service.send("GET", "/v1/sessions/\(session.id)?q=a-query-to-look-for", secret: "a-wrong-secret")
    #expect(service.terminate() == 0)
    let log = try String(contentsOf: service.log, encoding: .utf8)
    #expect(log.contains("/v1/sessions/{id}"))
    for text in ["a-token-to-look-for", "a-code-to-look-for", "a-query-to-look-for", "a-wrong-secret", session.secret, Service.operatorKey]
    {
      #expect(!log.contains(text))
    }
  }
}

private actor Counter {
  private(set) var count = 0

  func increment() -> Int {
    count += 1
    return count
  }
}
