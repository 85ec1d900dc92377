import CairnClient
import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Session of a client` {
  private let service: LocalService

  init() throws { service = try LocalService() }

  /// The problem of a rejected request, or `nil` if it was accepted.
  private func refusal(_ body: () async throws -> Void) async -> ServiceProblem? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? ClientError)?.problem
    }
  }

  @Test func `a session is created, driven, read and deleted`() async throws {
    let client = try service.client()
    let session = try await client.start(app: "shop", SessionStart(accessToken: "t", label: "mine"))
    let created = try #require(session.created)
    #expect(created.app == "shop" && created.label == "mine" && created.revision == 1 && created.visible?.screen == "home")
    #expect(created.facts["accessToken"] == true && created.login.status == .loggedIn && created.now == nil)

    let picked = try await session.step("productIsPicked", ["productId": 7])
    #expect(picked.outcome == .performed && picked.revision == 2 && picked.changes.map(\.name) == ["push"] && !picked.isPlan)
    #expect(picked.visible?.params == ["productId": 7] && picked.stack?.map(\.screen) == ["home", "product"])
    #expect(picked.events.map(\.type) == [.willNavigate, .didNavigate])
    let view = try await session.session()
    #expect(view.tree == picked.tree && view.revision == 2 && view.tree.sketch == "main[home, product(productId: 7)]")
    #expect(view.json["id"] == .string(session.id) && view.createdAt <= view.updatedAt)
    #expect(try await session.session(at: 1).visible?.screen == "home")

    #expect(try await session.pop().outcome == .performed)
    #expect(try await session.back().outcome == .unchanged)
    let history = try await session.history(after: 1)
    #expect(history.entries.map(\.revision) == [2, 3] && !history.hasMore)
    let home: Value = .string(try #require(created.visible?.id).description)
    #expect(history.entries.first?.cause == ["step": "productIsPicked", "params": ["productId": 7], "from": home])
    #expect(try await session.scenario().contains("productIsPicked"))
    let again = client.connect(id: session.id, secret: session.secret)
    #expect(try await again.session().revision == 3)

    try await session.end()
    let problem = await refusal { _ = try await session.session() }
    #expect(problem?.status == 401 && problem?.code == "unauthorized" && problem?.isDenial == true)
  }

  @Test func `a rejection contains the reason and the accepted actions`() async throws {
    let session = try await service.client().start(app: "shop")
    let refused = await refusal { try await session.step("productIsPicked", ["productId": 7]) }
    let problem = try #require(refused)
    #expect(problem.status == 409 && problem.isRefusal && !problem.isDenial && problem.accepts?.steps.isEmpty == false)
    let wrong = await refusal { try await session.step("nope") }
    #expect(wrong?.code == "invalid" && wrong?.errors.first?.pointer == "#/step")
    let array = await refusal { try await session.act([.token("t"), .step("nope")]) }
    #expect(array?.index == 1 || array?.errors.first?.pointer?.hasPrefix("#/1") == true)
    let late = await refusal { try await session.act(.token("t"), ifRevision: 9) }
    #expect(late?.code == "revision-mismatch")
    #expect(try await session.session().revision == 1)
  }

  @Test func `an array is applied completely, and links, tokens and notifications are posted`() async throws {
    let session = try await service.client().start(app: "qiita")
    let held = try await session.open("https://qiita.com/items/abc")
    #expect(held.outcome == .pending && held.heldLink != nil)
    let item = try #require(try await session.session().pending.first { $0.kind == "link" })
    #expect(item.url == "https://qiita.com/items/abc" && item.link == held.heldLink && item.until != nil)
    let answer = try await session.act([.token("a-token"), .back])
    #expect(answer.answers.count == 2 && answer.answers[0].events.contains { $0.type == .linkResumed } && answer.revision > 1)
    #expect(answer.stack.last?.screen == answer.visible?.screen)
    let shown = try await session.notify(["aps": ["alert": "New"], "url": "qiita://items/42"], NotificationManner(appState: .killed))
    #expect(shown.outcome == .performed)
    #expect(try await session.logout().outcome == .performed)
  }

  @Test func `a manual clock advances by the given time`() async throws {
    var start = SessionStart(accessToken: "t")
    start.hasManualClock = true
    let session = try await service.client().start(app: "rxflow-demo", start)
    let before = try #require(session.created?.now)
    try await session.advance(by: .milliseconds(1_500))
    let after = try #require(try await session.session().now)
    #expect(abs(after.timeIntervalSince(before) - 1.5) < 0.001)
  }

  @Test func `a creation returns the outcome of its link`() async throws {
    let client = try service.client()
    let opened = try await client.start(app: "shop", SessionStart(accessToken: "t", arrival: .link("https://shop.example/products/9")))
    guard case .performed(let answer)? = opened.created?.opened else { throw ClientError.malformed("not opened") }
    #expect(answer.outcome == .performed && opened.created?.visible?.params == ["productId": 9])
    let lost = try await client.start(app: "shop", SessionStart(accessToken: "t", arrival: .link("https://shop.example/nowhere/9")))
    guard case .refused(let problem)? = lost.created?.opened else { throw ClientError.malformed("not refused") }
    #expect(problem.code == "unknown-link")
  }

  @Test func `an operator lists and deletes sessions, and lists apps`() async throws {
    let client = try service.client(key: LocalService.operatorKey)
    for number in 0..<5 { _ = try await client.start(app: "shop", SessionStart(label: number < 3 ? "a b&c" : nil)) }
    let first = try await client.sessions(SessionFilter(label: "a b&c"), limit: 2)
    #expect(first.sessions.count == 2 && first.sessions.allSatisfy { $0.label == "a b&c" } && first.damaged == [])
    let next = try #require(first.next)
    let rest = try await client.sessions(after: next)
    #expect(rest.sessions.count == 1)
    let session = client.connect(id: first.sessions[0].id, secret: LocalService.operatorKey)
    #expect(try await session.session().app == "shop")
    #expect(try await client.endSessions(SessionFilter(label: "a b&c")) == 3)
    #expect(try await client.sessions().sessions.count == 2)
    #expect(try await client.apps().keys.sorted() == ["qiita", "rxflow-demo", "shop"])
    let app = try await client.app("shop")
    #expect(app.steps.first { $0.step == "productIsPicked" }?.params == ["productId": "integer"])
    #expect(try await client.apps()["shop"] == app.definition)
    let stranger = try service.client()
    let problem = await refusal { _ = try await stranger.sessions() }
    #expect(problem?.isDenial == true)
  }

  @Test func `a tree that is updated by responses and history equals that of the service`() async throws {
    let session = try await service.client().start(app: "rxflow-demo", SessionStart(accessToken: "t"))
    var live = LiveTree(try #require(session.created))
    for answer in [
      try await session.dismiss(), try await session.step("movieIsPicked", ["withId": 23452]), try await session.select(tab: 1),
      try await session.select(flow: "wishlist"), try await session.popToRoot(),
    ] {
      let fits = live.play(answer)
      #expect(fits && live.tree == answer.tree && live.revision == answer.revision)
    }
    var late = LiveTree(try await session.session(at: 1))
    let entries = try await session.history().entries
    let hasGap = late.play(try #require(entries.last))
    #expect(!hasGap && late.revision == 1)
    for entry in entries {
      let fits = late.play(entry)
      #expect(fits)
    }
    #expect(late == live)
  }
}
