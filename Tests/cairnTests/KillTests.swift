import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Killed and stopped processes` {
  @Test(arguments: [37, 171, 403]) func `a service killed during many posts keeps every acknowledged post`(moment: Int) async throws {
    let service = try await Service()
    var sessions: [Driven] = []
    for _ in 0..<4 { sessions.append(try await service.session("shop", ["accessToken": "t"])) }
    for _ in 1...2 {
      let answered = Answered()
      let newest = try await withThrowingTaskGroup(of: (Int, Int?).self) { group in
        for (index, session) in sessions.enumerated() {
          group.addTask {
            var last: Int?
            while let reply = try? await session.step("productIsPicked", ["productId": 1]), reply.status == 200 {
              last = reply.revision
              if await answered.increment() == moment { service.crash() }
            }
            return (index, last)
          }
        }
        var newest: [Int: Int] = [:]
        for try await (index, revision) in group { newest[index] = revision }
        return newest
      }
      try await service.start()
      for (index, session) in sessions.enumerated() {
        let now = try #require(try await session.get().revision)
        guard let acknowledged = newest[index] else { continue }
        #expect(now == acknowledged || now == acknowledged + 1)
      }
      let verified = try await service.verify()
      #expect(verified.code == 0, "\(verified.output)\(verified.error)")
    }
  }

  @Test func `a service that was stopped and continued responds to the requests of that time`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    let before = try #require(try await session.get().revision)
    for round in 1...3 {
      service.suspend()
      async let answer = session.step("productIsPicked", ["productId": .integer(round)])
      async let read = session.get()
      service.signal(SIGCONT)
      #expect(try await answer.status == 200)
      #expect(try await read.status == 200)
    }
    #expect(try await session.get().revision == before + 3)
  }
}

private actor Answered {
  private var count = 0

  func increment() -> Int {
    count += 1
    return count
  }
}
