import CairnClient
import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `A step is bound to the screen that was visible at the call` {
  private let service: LocalService

  init() throws { service = try LocalService() }

  private func shop() async throws -> SessionClient {
    try await service.client().start(app: "shop", SessionStart(accessToken: "t"))
  }

  @Test func `a double tap navigates once, and its second step changes nothing`() async throws {
    let session = try await shop()
    // Both calls read the visible screen before any response changes it.
    let (first, second) = service.withoutAnswers {
      (
        Task.immediate { try await session.step("productIsPicked", ["productId": 7]) },
        Task.immediate { try await session.step("productIsPicked", ["productId": 7]) }
      )
    }
    let answers = try await [first.value, second.value]
    #expect(Set(answers.map(\.outcome)) == [.performed, .unchanged])
    #expect(answers.compactMap(\.reason) == ["hidden"])
    let view = try await session.session()
    #expect(view.tree.sketch == "main[home, product(productId: 7)]" && view.revision == 2)
  }

  @Test func `a step after a response is sent by the new screen`() async throws {
    let session = try await shop()
    try await session.step("productIsPicked", ["productId": 7])
    #expect(try await session.step("productIsPicked", ["productId": 8]).outcome == .performed)
  }

  @Test func `a step of a screen that another client has dismissed changes nothing`() async throws {
    let session = try await shop()
    try await session.step("productIsPicked", ["productId": 7])
    let other = try service.client().connect(id: session.id, secret: session.secret)
    #expect(try await other.back().outcome == .performed)
    let late = try await session.step("productIsPicked", ["productId": 9])
    #expect(late.outcome == .unchanged && late.reason == "dismissed" && late.revision == 3)
    #expect(try await session.session().revision == 3)
    #expect(try await session.step("productIsPicked", ["productId": 9]).outcome == .performed, "it has seen the new screen")
  }

  @Test func `another rejection is thrown, and so is one for a screen that the caller names`() async throws {
    let session = try await shop()
    let home = try #require(session.created?.visible?.id)
    try await session.step("productIsPicked", ["productId": 7])
    for (step, from) in [("nope", nil), ("productIsPicked", home)] as [(String, NodeID?)] {
      await #expect(throws: ClientError.self) { try await session.step(step, ["productId": 7], from: from) }
    }
  }

  @Test func `a double back pops one screen, and its second gesture changes nothing`() async throws {
    let session = try await shop()
    for id in [7, 8] { try await session.step("productIsPicked", ["productId": .integer(id)]) }
    let (first, second) = service.withoutAnswers {
      (Task.immediate { try await session.back() }, Task.immediate { try await session.back() })
    }
    let answers = try await [first.value, second.value]
    #expect(Set(answers.map(\.outcome)) == [.performed, .unchanged] && answers.compactMap(\.reason) == ["dismissed"])
    #expect(try await session.session().tree.sketch == "main[home, product(productId: 7)]")
  }

  @Test func `a gesture on what the caller names is thrown if it is no longer visible`() async throws {
    let session = try await shop()
    let home = try #require(session.created?.visible?.id)
    try await session.step("productIsPicked", ["productId": 7])
    await #expect(throws: ClientError.self) { try await session.pop(from: home) }
    #expect(try await session.session().revision == 2)
  }
}
