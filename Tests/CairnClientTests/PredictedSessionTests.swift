import CairnAPI
import CairnCore
import CairnRuntime
import CairnTesting
import Foundation
import Testing

@testable import CairnClient

@Suite(.tags(.timing), .ownThreads, .timeLimit(TestTimeout.limit)) struct `A session that is predicted` {
  private let service: LocalService
  private let clock = ManualClock()

  init() throws { service = try LocalService(predictable: "shop,kiosk", clock: clock) }

  private func shop(pause: (@Sendable (Duration) async throws -> Void)? = nil) async throws -> (
    PredictedSession, AsyncStream<ShownUpdate>.Iterator
  ) {
    var start = SessionStart(accessToken: "t")
    start.hasManualClock = true
    var policy = RetryPolicy()
    if let pause { policy.pause = pause }
    let client = CairnClient(url: try #require(service.url), retry: policy)
    return try await predict(client.start(app: "shop", start))
  }

  /// Returns when the service holds the next request with numbered actions.
  private func arrival() async {
    var arrivals = service.arrivals.makeAsyncIterator()
    _ = await arrivals.next()
  }

  /// Begins to predict, with a client's clock that always shows 3,600,000 ms.
  private func predict(_ session: SessionClient) async throws -> (PredictedSession, AsyncStream<ShownUpdate>.Iterator) {
    let predicted = try #require(try await session.predicting { 3_600_000 })
    var updates = await predicted.updates.makeAsyncIterator()
    let first = try #require(await updates.next())
    #expect(first == ShownUpdate(tree: session.created?.tree ?? first.tree, revision: 1))
    return (predicted, updates)
  }

  private func pick(_ id: Int, in predicted: PredictedSession, from node: NodeID? = nil) -> Task<ActionAnswer, any Error> {
    Task { try await predicted.step("productIsPicked", ["productId": .integer(id)], from: node) }
  }

  private func product(_ id: Int, _ node: NodeID) -> Tree {
    var tree = Tree(id: node, kind: .screen, name: "product")
    tree.params = ["productId": .integer(id)]
    return tree
  }

  private func expectEqual(_ predicted: PredictedSession, _ source: SourceLocation = #_sourceLocation) async throws {
    let confirmed = try await predicted.session.session().tree
    #expect(await predicted.tree == confirmed, sourceLocation: source)
  }

  @Test func `a tap is shown before it is sent, and its confirmation changes nothing`() async throws {
    var (predicted, updates) = try await shop()
    let main = await predicted.tree.id
    service.holdNumbered()
    let tap = pick(7, in: predicted)
    let shown = try #require(await updates.next())
    let top = try #require(shown.tree.children?.last?.id)
    #expect(shown.changes == [.push(in: main, node: product(7, top))] && shown.renamed == [:] && shown.revision == 1)
    service.release()
    #expect(try await tap.value.outcome == .performed)
    // The confirmation causes no update, so the next update is that of the next gesture.
    let back = Task { [predicted] in try await predicted.act(.back) }
    let next = try #require(await updates.next())
    #expect(next.changes?.map(\.name) == ["pop"] && next.renamed == [:])
    #expect(try await back.value.revision == 3)
    try await expectEqual(predicted)
  }

  @Test func `taps on predicted screens are sent together, and name the screens by their actions`() async throws {
    var (predicted, updates) = try await shop()
    service.holdNumbered()
    var taps: [Task<ActionAnswer, any Error>] = []
    for id in 7...10 {
      taps.append(pick(id, in: predicted))
      #expect(await updates.next()?.changes?.map(\.name) == ["push"])
    }
    service.release()
    for tap in taps { #expect(try await tap.value.outcome == .performed) }
    try await expectEqual(predicted)
    let history = try await predicted.session.history().entries
    #expect(history.map { $0.json.at(["sender", "action"]) } == [nil, 1, 2, 3, 4])
    #expect(Set(history.dropFirst().map { $0.json.at(["sender", "client"]) }).count == 1)
    // The four confirmations caused no update, so the next update is that of the next gesture.
    let back = Task { [predicted] in try await predicted.act(.popToRoot) }
    #expect(await updates.next()?.changes?.map(\.name) == ["pop"])
    #expect(try await back.value.outcome == .performed)
  }

  @Test func `a page that another client pushes in between is one update, and the tap stays under it`() async throws {
    var (predicted, updates) = try await shop()
    service.holdNumbered()
    let tap = pick(7, in: predicted)
    let shown = try #require(await updates.next())
    #expect(shown.tree.sketch == "main[home, product(productId: 7)]")
    let other = try service.client().connect(id: predicted.session.id, secret: predicted.session.secret)
    try await other.act(.step("productIsPicked", ["productId": 9]))
    let rebased = try #require(await updates.next())
    #expect(rebased.tree.sketch == "main[home, product(productId: 7), product(productId: 9)]" && rebased.revision == 2)
    service.release()
    #expect(try await tap.value.outcome == .performed)
    try await expectEqual(predicted)
    let next = pick(8, in: predicted)
    #expect(await updates.next()?.changes?.map(\.name) == ["push"], "the confirmation itself changed nothing")
    #expect(try await next.value.outcome == .performed)
    try await expectEqual(predicted)
  }

  @Test func `an entry of another client in between is one update, which takes a tap back that is no longer possible`() async throws {
    var (predicted, updates) = try await shop()
    let rejected = await predicted.rejected
    service.holdNumbered()
    let tap = pick(7, in: predicted)
    _ = try #require(await updates.next())
    let other = try service.client().connect(id: predicted.session.id, secret: predicted.session.secret)
    try await other.act(.logout)
    let rebased = try #require(await updates.next())
    #expect(rebased.tree.sketch == "main[welcome]" && rebased.revision == 2)
    service.release()
    await #expect(throws: ClientError.self) { try await tap.value }
    var refusals = rejected.makeAsyncIterator()
    let refusal = try #require(await refusals.next())
    #expect(refusal.code == "dismissed" && refusal.action.json["step"] == "productIsPicked")
    try await expectEqual(predicted)
  }

  @Test func `a refusal is undone by one update, and missing entries are read as a state`() async throws {
    var (predicted, updates) = try await shop()
    // Without a stream, the client does not receive the other client's entry.
    await predicted.listening?.cancel()
    await predicted.listening?.value
    let other = try service.client().connect(id: predicted.session.id, secret: predicted.session.secret)
    try await other.act(.logout)
    let tap = pick(7, in: predicted)
    let shown = try #require(await updates.next())
    let top = try #require(shown.tree.children?.last?.id)
    let (main, home) = (shown.tree.id, try #require(shown.tree.children?.first?.id))
    #expect(shown.changes == [.push(in: main, node: product(7, top))])
    await #expect(throws: ClientError.self) { try await tap.value }
    let undone = try #require(await updates.next())
    #expect(undone.changes == [.pop(in: main, to: home)] && undone.tree.sketch == "main[home]" && undone.revision == 1)
    let read = try #require(await updates.next())
    #expect(read.tree.sketch == "main[welcome]" && read.revision == 2)
    // A response also reveals missing entries, if its revision does not follow the newest one that the client has.
    try await other.act(.step("signUpIsRequired"))
    #expect(try await predicted.act(.step("signUpIsRequired")).revision == 4)
    var last = try #require(await updates.next())
    while last.tree.sketch != "main[welcome, signUp, signUp]" { last = try #require(await updates.next()) }
    try await expectEqual(predicted)
  }

  @Test func `what cannot be predicted is shown when it is answered, and steps behind it wait`() async throws {
    let (waits, wait) = AsyncStream.makeStream(of: Duration.self)
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    var (predicted, updates) = try await shop { duration in
      wait.yield(duration)
      for await _ in gate {}
    }
    defer { opening.finish() }
    service.holdNumbered()
    let logout = Task { [predicted] in try await predicted.act(.logout) }
    await arrival()
    let tap = Task { [predicted] in try await predicted.act(.step("signUpIsRequired")) }
    var first = waits.makeAsyncIterator()
    #expect(await first.next() == .seconds(2))
    #expect(await predicted.tree.sketch == "main[home]")
    service.release()
    #expect(try await logout.value.outcome == .performed)
    #expect(try await tap.value.outcome == .performed)
    // The step waits at most until the logout is confirmed.
    var last = try #require(await updates.next())
    while last.tree.sketch != "main[welcome, signUp]" { last = try #require(await updates.next()) }
    try await expectEqual(predicted)
  }

  @Test func `a step waits no longer than two seconds`() async throws {
    let waits = Lock<[Duration]>([])
    var (predicted, updates) = try await shop { wait in waits.withLock { $0.append(wait) } }
    service.holdNumbered()
    let logout = Task { [predicted] in try await predicted.act(.logout) }
    await arrival()
    let tap = Task { [predicted] in try await predicted.act(.step("productIsPicked", ["productId": 7])) }
    #expect(await updates.next()?.tree.sketch == "main[home, product(productId: 7)]")
    #expect(waits.withLock { $0 } == [.seconds(2)])
    service.release()
    #expect(try await logout.value.outcome == .performed)
    await #expect(throws: ClientError.self) { try await tap.value }
    #expect(await updates.next()?.tree.sketch == "main[welcome]")
    try await expectEqual(predicted)
  }

  @Test func `a wait of two seconds ends with the answer, and the next one is as long`() async throws {
    let (waits, pause) = AsyncStream.makeStream(of: CheckedContinuation<Void, Never>.self)
    var (predicted, updates) = try await shop { _ in await withCheckedContinuation { pause.yield($0) } }
    var pauses = waits.makeAsyncIterator()
    func waitBehindAnUnknownEffect() async throws -> (CheckedContinuation<Void, Never>, [Task<ActionAnswer, any Error>]) {
      service.holdNumbered()
      let unknown = Task { [predicted] in try await predicted.act(.logout) }
      await arrival()
      let step = Task { [predicted] in try await predicted.act(.step("signUpIsRequired")) }
      return (try #require(await pauses.next()), [unknown, step])
    }
    let (first, answered) = try await waitBehindAnUnknownEffect()
    let wait = try #require(await predicted.patience)
    service.release()
    for call in answered { _ = try? await call.value }
    try await predicted.act(.back)
    let (second, held) = try await waitBehindAnUnknownEffect()
    let before = await predicted.tree.sketch
    first.resume()
    await wait.value
    #expect(await predicted.tree.sketch == before, "the first wait is over")
    second.resume()
    while await predicted.tree.sketch == before { _ = try #require(await updates.next()) }
    service.release()
    for call in held { _ = try? await call.value }
  }

  @Test func `a busy service is asked again, and no action fails`() async throws {
    let waits = Lock<[Duration]>([])
    let (predicted, _) = try await shop { wait in waits.withLock { $0.append(wait) } }
    service.beBusy(3)
    #expect(try await predicted.act(.logout).outcome == .performed)
    #expect(waits.withLock { $0.count == 3 && $0.allSatisfy { $0 >= .seconds(1) } }, "as its Retry-After says")
    #expect(await !predicted.isOffline)
    service.beBusy(1_000)
    await #expect(throws: ClientError.self, "the policy has five attempts") { try await predicted.act(.appState(.background)) }
    service.beBusy(0)
  }

  @Test func `an action whose response has expired is done`() async throws {
    let (predicted, _) = try await shop()
    let session = predicted.session
    // The service has run the action, but the client has not received its entry.
    await predicted.listening?.cancel()
    await predicted.listening?.value
    var post = try Wire.Call(
      "POST", session.requests.path + "/actions",
      json: ["client": .string(await predicted.client), "first": 1, "actions": [["step": "productIsPicked", "params": ["productId": 7]]]],
      credential: session.secret)
    post.headers["Prefer"] = "return=minimal"
    #expect(try await session.requests.wire.exchange(post).status == 200)
    clock.advance(by: 86_400_001)
    let answer = try await predicted.step("productIsPicked", ["productId": 7])
    #expect(answer.outcome == .performed && answer.reason == "known" && answer.revision == 2)
    #expect(await predicted.tree.sketch == "main[home, product(productId: 7)]")
    try await expectEqual(predicted)
  }

  @Test func `an action has its own time, and its request has the time at which it is sent, by the same clock`() async throws {
    let time = Lock(500_000_000)
    var policy = RetryPolicy()
    // The service is busy, so the client waits for half a minute of its clock before it sends the action again.
    policy.pause = { _ in time.withLock { $0 += 30_000 } }
    let client = CairnClient(url: try #require(service.url), retry: policy)
    let session = try await client.start(app: "shop", SessionStart(accessToken: "t"))
    let predicted = try #require(try await session.predicting { time.withLock { $0 } })
    clock.advance(by: 60_000)
    service.beBusy(1)
    #expect(try await predicted.step("productIsPicked", ["productId": 7]).outcome == .performed)
    let entry = try #require(try await session.history(after: 1).entries.first)
    #expect(entry.receivedAt == entry.at + 30)
  }

  @Test func `a step of a generated type is shown before it is sent`() async throws {
    var (predicted, updates) = try await shop()
    service.holdNumbered()
    let tap = Task { [predicted] in try await predicted.step(.productIsPicked(productId: 7)) }
    #expect(await updates.next()?.tree.sketch == "main[home, product(productId: 7)]")
    service.release()
    #expect(try await tap.value.outcome == .performed)
  }

  @Test func `at most 2,000 actions wait, the first of them for at most 14 days, and half of the queue is left to the user's actions`() {
    func queue(_ count: Int) -> [QueuedAction] {
      (0..<count).map {
        QueuedAction(
          number: $0 + 1, action: .back, posted: SessionAction.back.json, isKept: true, isStored: true, at: 1_000, definition: "d", end: nil
        )
      }
    }
    let days = 14 * 86_400_000
    #expect(queue(1_999).obstacle(now: 1_000 + days) == nil)
    #expect(queue(1_990).obstacle(count: 10, now: 0) == nil)
    #expect(queue(2_000).obstacle(now: 1_000)?.text.contains("at most 2000 actions") == true)
    #expect(queue(1_990).obstacle(count: 11, now: 1_000)?.text.contains("at most 2000 actions") == true)
    #expect(queue(1).obstacle(now: 1_001 + days)?.text.contains("for 14 days") == true)
    #expect([QueuedAction]().obstacle(now: 0) == nil)
    #expect(queue(999).hasRoomForTicks && !queue(1_000).hasRoomForTicks)
  }

  @Test func `600 actions wait, and are confirmed together`() async throws {
    let (predicted, _) = try await shop()
    service.holdNumbered()
    var taps: [Task<ActionAnswer, any Error>] = []
    // Each Back removes the page of the tap before, so that the tree stays small.
    for id in 0..<600 {
      let action: SessionAction = id.isMultiple(of: 2) ? .step("productIsPicked", ["productId": .integer(id % 9)]) : .back
      taps.append(Task.immediate { try await predicted.act(action) })
    }
    service.release()
    for tap in taps { #expect(try await tap.value.outcome == .performed) }
    try await expectEqual(predicted)
  }

  @Test(arguments: 1...4) func `whatever two clients do at once, the confirmed tree is the service's, and updates lead to it`(seed: Int)
    async throws
  {
    var chance = Chance(seed: UInt64(seed))
    var (predicted, updates) = try await shop()
    let other = try service.client().connect(id: predicted.session.id, secret: predicted.session.secret)
    func action() -> SessionAction {
      switch chance.below(6) {
      case 0: .back
      case 1: .popToRoot
      case 2: .step("termsAreRequired")
      case 3: .step("termsAreClosed")
      default: .step("productIsPicked", ["productId": .integer(chance.below(9))])
      }
    }
    var calls: [Task<Void, Never>] = []
    for _ in 0..<60 {
      let (session, next) = (predicted, action())
      if chance.isHeads(oneIn: 3) {
        calls.append(Task { _ = try? await other.act(next) })
      } else {
        calls.append(Task { _ = try? await session.act(next) })
      }
      if chance.isHeads(oneIn: 5) { await calls.removeFirst().value }
    }
    for call in calls { await call.value }
    // A page of the other client that the user has not seen would stay in front after the logout, so the client receives all entries first.
    let newest = try await other.session().revision
    try await waitInTask(for: "the other client's last entry") { await predicted.replica?.revision ?? 0 >= newest }
    var watched = await predicted.updates.makeAsyncIterator()
    try await predicted.act(.logout)
    while await predicted.tree.sketch != "main[welcome]" { _ = try #require(await watched.next()) }
    try await expectEqual(predicted)
    // If an update renames no ids, its changes lead from the previous tree to the tree of the update.
    await predicted.close()
    var played = try #require(predicted.session.created?.tree)
    while let update = await updates.next() {
      if update.renamed.isEmpty, let changes = update.changes {
        #expect(played.play(changes) && played == update.tree, "\(changes)")
      }
      played = update.tree
    }
    #expect(played.sketch == "main[welcome]")
  }

  @Test func `an app that the service does not list is not predicted`() async throws {
    let session = try await service.client().start(app: "qiita")
    let predicted = try await session.predicting()
    #expect(predicted == nil)
  }

  @Test(arguments: [(Int(Reducer.engine) + 1, ReplicaFormat.version), (Int(Reducer.engine), ReplicaFormat.version + 1)])
  func `a service with other formats is not predicted`(engine: Int, format: Int) async throws {
    let server = try TinyServer(
      body: #"{"definition":"d","engine":\#(engine),"format":\#(format),"revision":1,"state":"{}","withheld":[]}"#)
    let session = CairnClient(url: try #require(URL(string: server.address))).connect(id: "s1", secret: "x")
    let predicted = try await session.predicting()
    #expect(predicted == nil && server.count == 1)
  }

  @Test
  func `after a move each action is posted with the definition that it was made for, and nothing is predicted until all are answered`()
    async throws
  {
    let admin = try service.client(key: LocalService.operatorKey)
    func kiosk(_ root: String, _ screen: String) -> String {
      """
      app: kiosk
      language: 1
      root: { flow: \(root) }
      screens: { home: { emits: [\(screen)AreRequired] }, \(screen): { emits: [\(screen)AreRequired] } }
      steps: { termsAreRequired: , conditionsAreRequired: }
      flows: { \(root): { stack: home, handle: { \(screen)AreRequired: { push: \(screen) } } } }
      """
    }
    try await admin.put(kiosk("main", "terms"), as: "kiosk")
    let old = try #require(try await admin.apps()["kiosk"])
    var (predicted, updates) = try await predict(service.client().start(app: "kiosk"))
    try await admin.put(kiosk("kiosk", "conditions"), as: "kiosk")
    let new = try #require(try await admin.apps()["kiosk"])
    let migration: Value = [
      "screens": ["terms": ["to": "conditions"]], "flows": ["main": ["to": "kiosk"]],
      "steps": ["termsAreRequired": ["to": "conditionsAreRequired"], "conditionsAreRequired": ["to": "termsAreRequired"]],
    ]
    #expect(try await admin.exchange("PUT", "/v1/apps/kiosk/migrations/\(old)/\(new)", migration).status == 200)
    service.holdNumbered()
    let tap = Task { [predicted] in try await predicted.step("termsAreRequired") }
    #expect(await updates.next()?.tree.sketch == "main[home, terms]")
    let moved = try await admin.exchange("POST", "/v1/sessions/\(predicted.session.id)/migrate", ["to": .string(new)])
    #expect(moved.status == 200)
    let other = try #require(await updates.next())
    #expect(other.tree.sketch == "kiosk[home]" && other.changes == nil)
    // The user sees the new definition's screen.
    let next = Task { [predicted] in try await predicted.act(.step("conditionsAreRequired"), queue: true) }
    service.release()
    #expect(try await tap.value.outcome == .performed)
    #expect(try await next.value.outcome == .performed)
    var shown = try #require(await updates.next())
    while shown.tree.sketch != "kiosk[home, conditions, conditions]" { shown = try #require(await updates.next()) }
    service.holdNumbered()
    let back = Task { [predicted] in try await predicted.act(.back) }
    let popped = try #require(await updates.next())
    #expect(popped.changes?.map(\.name) == ["pop"], "\(popped), and before it \(shown)")
    service.release()
    #expect(try await back.value.outcome == .performed)
    try await expectEqual(predicted)
  }
}
