import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `App rxflow-demo over HTTP` {
  private func session(_ service: Service, onBoarded: Bool = true) async throws -> Driven {
    try await service.session("rxflow-demo", ["clock": "manual", "facts": ["onBoarded": .bool(onBoarded)]], asOperator: true)
  }

  @Test func `a first launch leads to the dashboard`() async throws {
    let service = try await Service()
    let session = try await service.session("rxflow-demo")
    #expect(
      session.created.sketch
        == "app[dashboard<*wishlist[wishlistScreen], watched[watchedScreen], trending[trendingPages<*watchedScreen, castList>]>] ^ onboarding[login]"
    )
    let history = try await session.get("/history")
    guard case .array(let entries)? = history["entries"], case .array(let events)? = entries.first?["events"] else {
      throw Service.Failure("no history: \(history.text)")
    }
    let handled = events.filter { $0["type"] == "willNavigate" }.map { "\($0["flow"]?.shortText ?? "") \($0["step"]?.shortText ?? "")" }
    #expect(
      handled == [
        "app dashboardIsRequired", "app onboardingIsRequired", "dashboard dashboardIsRequired", "onboarding loginIsRequired",
        "wishlist moviesAreRequired", "watched moviesAreRequired", "trending trendingsAreRequired", "trendingMovie moviesAreRequired",
        "castList castListAreRequired",
      ])
    #expect(try await session.step("userIsLoggedIn").routes == ["wishlistScreen", "login", "apiKey"])
    #expect(try await session.step("apiKeyIsConfirmed").routes == ["wishlistScreen"])
  }

  @Test func `tabs, details, permissions and settings are reached by steps`() async throws {
    let service = try await Service()
    let session = try await session(service)
    #expect(try await session.step("movieIsPicked", ["withId": 14323]).routes == ["wishlistScreen", "movieDetail"])
    #expect(try await session.step("castIsPicked", ["withId": 3]).routes == ["wishlistScreen", "movieDetail", "castDetail"])
    #expect(try await session.act(["type": "pop"]).events == [])
    _ = try await session.act(["type": "popToRoot"])
    let denied = try await session.step("aboutIsRequired")
    #expect(denied.visible == "alert")
    _ = try await session.act(["type": "dismiss"])
    let allowed = try await session.act(["type": "facts", "set": ["aboutAllowed": true]], as: Service.operatorKey)
    #expect(allowed.status == 200)
    #expect(try await session.step("aboutIsRequired").visible == "about")
    #expect(try await session.step("aboutIsComplete").routes == ["wishlistScreen"])

    #expect(try await session.step("settingsAreRequired").routes == ["wishlistScreen", "settingsList", "login", "alert"])
    _ = try await session.act(["type": "dismiss"])
    #expect(try await session.step("apiKeyIsRequired").routes == ["wishlistScreen", "settingsList", "apiKey"])
    _ = try await session.step("aboutIsRequired")
    let nothing = try await session.step("aboutIsComplete")
    #expect(nothing.outcome == "unchanged")
    #expect(nothing["reason"] == "not-handled")
    #expect(try await session.step("settingsAreComplete").routes == ["wishlistScreen"])

    _ = try await session.act(["type": "select", "tab": 1])
    guard case .string(let list) = try await session.get().json.at(["visible", "id"]) else { throw Service.Failure("nothing visible") }
    _ = try await session.step("movieIsPicked", ["withId": 43424])
    #expect(try await session.step("movieIsPicked", ["withId": 43424], from: list).code == "hidden")
    _ = try await session.act(["type": "select", "flow": "trending"])
    _ = try await session.act(["type": "select", "flow": "castList"])
    #expect(try await session.step("castIsPicked", ["withId": 4]).routes == ["castList", "castDetail"])
    _ = try await session.act(["type": "select", "tab": 0, "node": "n2"])
    #expect(try await session.step("logoutIsRequired").routes == ["wishlistScreen", "login"])
  }

  @Test func `the link of a notification reaches every flow and closes nothing`() async throws {
    let service = try await Service()
    let session = try await session(service)
    _ = try await session.step("settingsAreRequired")
    let tapped = try await session.notify(["aps": ["alert": "Deeplink use case"], "link": "rxflow://movies/23452"])
    #expect(tapped.visible == "alert")
    #expect(tapped.sketch.contains("watched[watchedScreen, movieDetail(movieId: 23452)]"))
    #expect(tapped.sketch.contains("wishlist[wishlistScreen, movieDetail(movieId: 23452)] ^ settings"))
    let unknown = try await session.open("rxflow://movies/1")
    #expect(unknown.status == 422)
  }
}

@Suite(.tags(.timing), .ownThreads) struct `App flow-controller over HTTP` {
  @Test func `a step pushes a flow, and pop removes one at a time and keeps the first`() async throws {
    let service = try await Service()
    let session = try await service.session("flow-controller-push")
    guard case .string(let first) = session.created.json.at(["visible", "id"]) else { throw Service.Failure("nothing visible") }
    #expect(try await session.step("second").sketch == "rootContainer[first, second]")
    #expect(try await session.step("second").code == "not-in-contract")
    #expect(try await session.step("second", from: first).sketch == "rootContainer[first, second, second]")
    #expect(try await session.act(["type": "pop"]).routes == ["first", "second"])
    #expect(try await session.act(["type": "pop"]).routes == ["first"])
    #expect(try await session.act(["type": "pop"]).outcome == "unchanged")
  }

  @Test func `a step presents one modal flow at a time, and a flow presented again is a new node`() async throws {
    let service = try await Service()
    let session = try await service.session("flow-controller-modal")
    #expect(session.created.sketch == "first")
    guard case .string(let first) = session.created.json.at(["visible", "id"]) else { throw Service.Failure("nothing visible") }
    let once = try await session.step("second")
    #expect(once.sketch == "first ^ second")
    #expect(try await session.step("second", from: first).code == "already-presenting")
    _ = try await session.act(["type": "dismiss"])
    let again = try await session.step("second")
    #expect(again.sketch == "first ^ second")
    #expect(again.json.at(["visible", "id"]) != once.json.at(["visible", "id"]))
  }
}
