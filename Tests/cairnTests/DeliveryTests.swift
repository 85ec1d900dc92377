import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `App delivery over HTTP` {
  @Test func `after a crash during a call to the bank, the payment and its timer are restored`() async throws {
    let service = try await Service()
    let session = try await service.session(
      "delivery", ["accessToken": "t", "clock": "manual", "requests": "manual"], asOperator: true)
    _ = try await session.act([["step": "checkoutRequested"], ["type": "advance", "by": "14m"], ["step": "addressConfirmed"]])
    _ = try await session.act([["step": "slotPicked", "params": ["slot": "noon"]], ["step": "paymentRequested"], ["type": "dismiss"]])
    #expect(try await session.open("https://eat.example/r/3").outcome == "pending")
    let before = try await session.get()
    service.crash()
    try await service.start()
    #expect(try await session.get().text == before.text)

    // The pending payment has completed, below the alert that asks whether to discard.
    let paid = try await session.act([["type": "answer", "loaded": ["paymentId": "p1"]]], as: Service.operatorKey)
    #expect(paid.visible == "discard")
    #expect(try await session.step("discardDeclined").visible == "confirm")
    service.crash()
    try await service.start()
    let over = try await session.act([["type": "advance", "by": "1m"]])
    #expect(over.visible == "expiryNotice")
    // The held link was followed below the alert.
    #expect(try await session.step("noticeRead").visible == "restaurant")
  }
}
