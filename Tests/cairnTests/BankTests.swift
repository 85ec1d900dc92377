import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `App bank over HTTP` {
  @Test func `after a crash while the app is locked, waiting modals and unfinished transfers are restored`() async throws {
    let service = try await Service()
    let session = try await service.session(
      "bank",
      [
        "accessToken": "t", "clock": "manual", "requests": "manual",
        "facts": ["onBoarded": true, "isEnrolled": true, "userId": "ada"],
      ], asOperator: true)
    let request = { (id: String) -> Value in ["category": "approval", "data": ["approval": ["id": .string(id)]]] }
    _ = try await session.act(
      [["type": "advance", "by": "1s"], ["type": "answer", "loaded": ["userId": "ada"]]], as: Service.operatorKey)
    _ = try await session.act([["type": "select", "tab": 1], ["step": "transferRequested"], ["step": "contactsRequested"]])
    _ = try await session.act([["type": "appState", "state": "background"], ["type": "advance", "by": "2m"]])
    for id in ["a1", "a2"] { #expect(try await session.notify(request(id)).visible == "lock") }
    for path in ["cards/c1", "loans/7"] { #expect(try await session.open("https://bank.example/\(path)").outcome == "pending") }
    let before = try await session.get()
    service.crash()
    try await service.start()
    #expect(try await session.get().text == before.text)

    _ = try await session.act([["type": "advance", "by": "59s"], ["type": "appState", "state": "foreground"]])
    #expect(try await session.step("pinAccepted").visible == "approval")
    service.crash()
    try await service.start()
    // Both timeouts of two minutes have passed. The links are held until the transfer ends.
    let over = try await session.act([["type": "advance", "by": "1s"]])
    #expect(over.visible == "contactList")
    let after = try await session.act([["type": "dismiss"], ["type": "dismiss"]])
    #expect(after.sketch.contains("*accounts[accountList] ^ unknownLink(path: loans/7)"))
    #expect(after.sketch.contains("cards[cardList, card(cardId: c1)]"))
  }
}
