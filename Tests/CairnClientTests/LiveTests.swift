import CairnClient
import CairnCore
import CairnRuntime
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Live session` {
  private let service: LocalService

  init() throws { service = try LocalService() }

  @Test func `posts of others arrive in order, and the trees equal those of the service`() async throws {
    let session = try await service.client().start(app: "shop", SessionStart(accessToken: "t"))
    let seen = Lock<[SessionEvent]>([])
    let reader = Task.onOwnThreads {
      for try await event in session.changes { seen.withLock { $0.append(event) } }
    }
    try await reached { seen.withLock { $0.count } == 2 }
    for number in 1...20 { try await session.step("productIsPicked", ["productId": .integer(number)]) }
    try await session.pop(5)
    let last = try await session.session()
    try await session.end()
    try await reader.value
    let events = seen.withLock { $0 }
    guard case .connected? = events.first, case .reset(let first)? = events.dropFirst().first, case .ended(.deleted)? = events.last else {
      throw ClientError.malformed("\(events)")
    }
    var live = LiveTree(first)
    for case .change(let entry) in events.dropFirst(2) {
      let fits = live.play(entry)
      #expect(fits && entry.revision == live.revision)
    }
    #expect(events.count == 24 && live.tree == last.tree && live.revision == last.revision)
  }

  @Test func `a client that reconnects gets the missed changes`() async throws {
    let session = try await service.client().start(app: "shop", SessionStart(accessToken: "t"))
    for number in 1...3 { try await session.step("productIsPicked", ["productId": .integer(number)]) }
    var changes = session.changes(after: 2).makeAsyncIterator()
    var revisions: [Int] = []
    while revisions.count < 2, let event = try await changes.next() {
      if case .change(let entry) = event { revisions.append(entry.revision) }
    }
    #expect(revisions == [3, 4])
    var trees = session.trees.makeAsyncIterator()
    #expect(try await trees.next()?.tree == session.session().tree)
    try await session.back()
    #expect(try await trees.next()?.tree == session.session().tree)
    let stranger = try service.client().connect(id: session.id, secret: "cs_wrong").changes
    await #expect(throws: ClientError.self) { for try await _ in stranger {} }
  }

  @Test func `a plan returns the outcome and changes nothing`() async throws {
    let session = try await service.client().start(app: "shop", SessionStart(accessToken: "t"))
    let step = try await session.plan(.step("productIsPicked", ["productId": 7]))
    #expect(step.isPlan && step.outcome == .performed && step.visible?.params == ["productId": 7])
    let both = try await session.plan([.step("productIsPicked", ["productId": 7]), .back])
    #expect(both.answers.count == 2 && both.visible?.screen == "home")
    let link = try await session.planOpen("https://shop.example/products/9")
    #expect(link.isPlan && link.heldLink == nil && link.json.at(["link", "index"]) != nil)
    do {
      _ = try await session.plan(.step("nope"))
      Issue.record("nope is a step")
    } catch {
      #expect(error.problem?.code == "invalid")
    }
    #expect(try await session.session().revision == 1)
  }
}
