import CairnCore
import CairnHTTP
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `App shop over HTTP` {
  @Test func `the start depends only on the token`() async throws {
    let service = try await Service()
    #expect(try await service.session("shop", ["accessToken": "t"]).created.sketch == "main[home]")
    #expect(try await service.session("shop").created.sketch == "main[welcome]")
  }

  @Test(arguments: [
    (#"{"valid":true}"#, 200, "main[home]"), (#"{"valid":false}"#, 200, "main[welcome]"), (#"{"valid":1}"#, 200, "main[welcome]"),
    ("{", 200, "main[welcome]"), (#"{"valid":true}"#, 500, "main[welcome]"),
  ])
  func `a screen is loading while the API is called once`(body: String, status: Int, tree: String) async throws {
    let provider = try Provider([Provider.json(body, status: status)])
    let service = try await Service(environment: ["SHOP_TOKEN_CHECK_URL": "\(provider.url)/check"])
    let session = try await service.session("shop", ["accessToken": "the-token"])
    #expect(session.created.routes == ["loading"])
    #expect(try await session.until { $0.routes != ["loading"] }.sketch == tree)
    #expect(provider.requests.first?.headers["authorization"] == "Bearer the-token")
    #expect(provider.requests.first?.method == "GET")
    // A client cannot send another result, because the step with the result is internal.
    #expect(try await session.step("tokenIsChecked", ["valid": .bool(tree == "main[welcome]")]).code == "internal-step")
    #expect(try await session.get().sketch == tree)
    #expect(try await service.session("shop").created.sketch == "main[welcome]")
    #expect(provider.requests.count == 1)
  }

  @Test func `products are pushed, and links open them`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    _ = try await session.step("productIsPicked", ["productId": 1])
    #expect(
      try await session.step("productIsPicked", ["productId": 2]).sketch == "main[home, product(productId: 1), product(productId: 2)]")
    #expect(try await session.open("shop://products/3").sketch == "main[home, product(productId: 3)]")
    #expect(try await session.open("https://shop.example/products/9").sketch == "main[home, product(productId: 9)]")
    let before = try await session.get()
    for (params, pointer) in [([:], "productId"), (["productId": "x"], "productId"), (["productId": 1, "more": 2], "more")]
      as [([String: Value], String)]
    {
      let refused = try await session.step("productIsPicked", params)
      #expect(refused.status == 422)
      #expect(refused.text.contains("#/params/\(pointer)"))
    }
    #expect(try await session.step("moveToProduct", ["productId": 1]).code == "internal-step")
    #expect(try await session.get()["tree"] == before["tree"])
    let out = try await service.session("shop")
    _ = try await out.step("signUpIsRequired")
    let refused = try await out.open("shop://products/3")
    #expect(refused.status == 409)
    #expect(refused.code == "screen-not-found")
    #expect(try await out.get().sketch == "main[welcome, signUp]")
  }

  @Test func `a double tap is rejected with the covered screen, and runs once`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    guard case .string(let home) = session.created.json.at(["visible", "id"]) else { throw Service.Failure("no visible screen") }
    #expect(try await session.step("productIsPicked", ["productId": 1], from: home).status == 200)
    let second = try await session.step("productIsPicked", ["productId": 1], from: home)
    #expect(second.status == 409)
    #expect(second.code == "hidden")
    #expect(try await session.get().routes == ["home", "product"])
  }

  @Test func `notifications are processed during and after the auth flow`() async throws {
    let service = try await Service()
    let session = try await service.session("shop")
    let promo: Value = ["aps": ["alert": "sale", "category": "promo"], "url": "shop://products/5"]
    let received = try await session.notify(promo, query: "?tap=false&state=foreground")
    #expect(received.outcome == "unchanged")
    #expect(received.events == ["notificationSuppressed"])
    #expect(try await session.notify(promo).code == "suppressed")
    _ = try await session.step("signUpIsRequired")
    #expect(try await session.act(["type": "token", "accessToken": "t"]).routes == ["welcome", "signUp"])
    #expect(try await session.step("authIsComplete").sketch == "main[home]")
    #expect(try await session.notify(promo, query: "?tap=false").events == ["notificationShown"])
    #expect(try await session.step("termsAreRequired").routes == ["home", "terms"])
    #expect(try await session.notify(promo).sketch == "main[home, product(productId: 5)]")
    #expect(try await session.act(["type": "logout"]).sketch == "main[welcome]")
  }
}
