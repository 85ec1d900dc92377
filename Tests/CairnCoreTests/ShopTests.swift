import CairnCore
import CairnTesting
import Testing

private func launch(token: Bool, check: Bool = false) throws -> Drive {
  try Drive(
    app: "shop", creation: Creation(hasToken: token, environment: check ? ["SHOP_TOKEN_CHECK_URL": "http://127.0.0.1/check"] : [:]))
}

@Suite struct `Coordinator app shop` {
  @Test func `a start without a check shows its branch`() throws {
    #expect(try launch(token: true).sketch == "main[home]")
    #expect(try launch(token: false).sketch == "main[welcome]")
  }

  @Test func `the screen loads while the API decides`() throws {
    let asked = try launch(token: true, check: true)
    #expect(asked.sketch == "main[loading~loading]")
    guard case .request(let url, let bearer, _, _, _, _) = asked.state.effects.first?.work else {
      Issue.record("no request is started")
      return
    }
    #expect(url == "http://127.0.0.1/check")
    #expect(bearer)
    for (result, tree) in [
      (Action.Completion.loaded(["valid": true]), "main[home]"), (.loaded(["valid": false]), "main[welcome]"),
      (.loaded(["valid": "yes"]), "main[welcome]"), (.loaded(["other": 1]), "main[welcome]"), (.failed("timeout"), "main[welcome]"),
    ] {
      var drive = asked
      drive.run(.effect(id: 1, result))
      #expect(drive.sketch == tree)
      #expect(drive.broken == [])
      drive.run(.effect(id: 1, .loaded(["valid": true])))
      #expect(drive.outcome == "effect-gone")
      #expect(drive.sketch == tree)
    }
    #expect(try launch(token: false, check: true).sketch == "main[welcome]")
    #expect(try launch(token: false, check: true).state.effects == [])
  }

  @Test func `products are pushed on each other, and a link goes through home`() throws {
    var drive = try launch(token: true)
    drive.step("productIsPicked", ["productId": 1])
    drive.step("productIsPicked", ["productId": 2])
    #expect(drive.sketch == "main[home, product(productId: 1), product(productId: 2)]")
    drive.post(.open(url: "https://shop.example/products/9"))
    #expect(drive.sketch == "main[home, product(productId: 9)]")
    #expect(drive.broken == [])
  }

  @Test func `a double tap runs once`() throws {
    var drive = try launch(token: true)
    let home = drive.id("home")
    drive.step("productIsPicked", ["productId": 1], from: home)
    drive.step("productIsPicked", ["productId": 1], from: home)
    #expect(drive.outcome == "hidden")
    #expect(drive.sketch == "main[home, product(productId: 1)]")
  }

  @Test func `without a home a link is rejected completely`() throws {
    var drive = try launch(token: false)
    drive.step("signUpIsRequired")
    drive.post(.open(url: "shop://products/3"))
    #expect(drive.outcome == "screen-not-found")
    #expect(drive.sketch == "main[welcome, signUp]")
    #expect(drive.broken == [])
  }

  @Test func `the terms are a modal of home, and a link closes it`() throws {
    var drive = try launch(token: true)
    drive.step("termsAreRequired")
    #expect(drive.routes == ["home", "terms"])
    drive.step("termsAreClosed")
    #expect(drive.sketch == "main[home]")
    drive.step("termsAreRequired")
    drive.post(.open(url: "shop://products/3"))
    #expect(drive.sketch == "main[home, product(productId: 3)]")
  }

  @Test func `contracts and types of steps are checked`() throws {
    var drive = try launch(token: true)
    drive.step("moveToProduct", ["productId": 1])
    #expect(drive.outcome == "internal-step")
    drive.step("productIsPicked")
    #expect(drive.refusal?.faults.map(\.pointer) == ["/params/productId"])
    drive.step("productIsPicked", ["productId": "1"])
    #expect(drive.refusal?.faults.map(\.detail) == ["must be of type integer, not string"])
    drive.post(.open(url: "shop://products/x"))
    #expect(drive.outcome == "invalid")
    #expect(drive.sketch == "main[home]")
  }

  @Test func `the last page ends the auth flow, and a token without it changes no screen`() throws {
    var drive = try launch(token: false)
    let promo = Action.notification(url: nil, category: "promo", tap: false, appState: .foreground)
    drive.run(promo)
    #expect(drive.last.events.map(\.type) == [.notificationSuppressed])
    #expect(drive.outcome == "unchanged (suppressed)")
    drive.run(.notification(url: "shop://products/1", category: "promo", tap: true, appState: .background))
    #expect(drive.outcome == "suppressed")
    drive.step("signUpIsRequired")
    drive.post(.token("t"))
    #expect(drive.sketch == "main[welcome, signUp]")
    drive.step("authIsComplete")
    #expect(drive.sketch == "main[home]")
    drive.run(promo)
    #expect(drive.last.events.map(\.type) == [.notificationShown])
    drive.run(.notification(url: "shop://products/1", category: "promo", tap: true, appState: .background))
    #expect(drive.sketch == "main[home, product(productId: 1)]")
    drive.run(.logout)
    #expect(drive.sketch == "main[welcome]")
  }
}
