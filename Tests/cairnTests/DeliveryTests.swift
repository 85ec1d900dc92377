import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `The delivery over HTTP` {
  @Test func `a crash while the bank is asked loses neither the payment nor the quarter of an hour`() async throws {
    let service = try await Service()
    let session = try await service.session(
      "delivery", ["accessToken": "t", "clock": "manual", "requests": "manual"], asOperator: true)
    _ = try await session.act([["step": "checkoutIsRequired"], ["type": "advance", "by": "14m"], ["step": "addressIsConfirmed"]])
    _ = try await session.act([["step": "slotIsPicked", "params": ["slot": "noon"]], ["step": "paymentIsRequired"], ["type": "dismiss"]])
    #expect(try await session.open("https://eat.example/r/3").outcome == "pending")
    let before = try await session.get()
    service.crash()
    try await service.start()
    #expect(try await session.get().text == before.text)

    // The payment that was under way is made, under the question whether to discard.
    let paid = try await session.act([["type": "answer", "loaded": ["paymentId": "p1"]]], as: Service.operatorKey)
    #expect(paid.visible == "discard")
    #expect(try await session.step("discardIsDeclined").visible == "confirm")
    service.crash()
    try await service.start()
    let over = try await session.act([["type": "advance", "by": "1m"]])
    #expect(over.visible == "checkoutIsOver")
    // The link that waited was followed under the alert.
    #expect(try await session.step("noticeIsRead").visible == "restaurant")
  }
}
