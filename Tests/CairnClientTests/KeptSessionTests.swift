import CairnCore
import CairnRuntime
import CairnTesting
import Foundation
import Testing

@testable import CairnClient

@Suite(.tags(.timing), .ownThreads, .timeLimit(TestTimeout.limit)) final class `A predicted session in a file` {
  let service: LocalService
  let clock = ManualClock()
  let file = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
  let notices = Lock<[String]>([])
  let time = Lock(1_000_000_000)

  init() throws { service = try LocalService(predictable: "shop,job,safe", clock: clock, others: [Self.job, Self.safe]) }

  deinit { try? FileManager.default.removeItem(at: file) }

  /// Pages for jobs and notes, a secret PIN, and a sealed lock.
  static let job = """
    app: job
    language: 1
    compat: { emits: any }
    root: { flow: main }
    steps:
      jobIsPicked: { id: integer }
      jobIsDone: {}
      noteIsPicked: {}
      jobIsCancelled: {}
      pinIsEntered: { pin: { type: string, secret: true } }
      lockIsShown: {}
    screens: { home: {}, job: { params: { id: integer } }, note: {}, locked: {} }
    flows:
      main:
        stack: home
        handle:
          jobIsPicked: { push: job, with: { id: $id } }
          noteIsPicked: { push: note }
          jobIsDone: { popTo: home }
          jobIsCancelled: { set: [home] }
          pinIsEntered: { push: note }
          lockIsShown: { present: locked, sealed: true }
    """

  var keeping: SessionKeeping {
    SessionKeeping(file: file) { [notices] notice in notices.withLock { $0.append(notice) } }
  }

  /// A client that does not repeat failed requests, and posts only ticks that are already due.
  func offline() throws -> CairnClient {
    var policy = RetryPolicy()
    policy.pause = { if $0 > .zero { try await waitUntilCancelled() } }
    return CairnClient(url: try #require(service.url), retry: policy)
  }

  func start(_ app: String = "job") async throws -> SessionClient { try await service.client().start(app: app) }

  func predict(_ session: SessionClient, by client: CairnClient? = nil) async throws -> PredictedSession {
    let client = try client ?? service.client()
    let time = time
    let predicted = try await client.connect(id: session.id, secret: session.secret).predicting(keeping, now: { time.withLock { $0 } })
    return try #require(predicted)
  }

  /// Runs `work` while the service holds numbered actions and refuses streams, as without a network. Then closes the session, as at the end of its process.
  /// `work` must post an action.
  func withoutNetwork(_ session: SessionClient, _ work: (PredictedSession) async throws -> Void) async throws {
    service.holdNumbered()
    service.refuseStreams(true)
    let predicted = try await predict(session, by: offline())
    try await work(predicted)
    await predicted.saved()
    await predicted.close()
    var arrivals = service.arrivals.makeAsyncIterator()
    _ = await arrivals.next()
    service.lose()
    service.refuseStreams(false)
  }

  /// Posts an action, and returns its task once the effect of the action is shown.
  func tap(_ action: SessionAction, in predicted: PredictedSession) async -> Task<ActionAnswer, any Error> {
    let task = Task.immediate { try await predicted.act(action) }
    _ = await predicted.tree
    return task
  }

  /// Returns when the service has answered all actions of a session, and its state has arrived. If actions are refused, the state arrives after the answers.
  func idle(_ predicted: PredictedSession) async throws {
    try await waitInTask(for: "the end of the queue") { await predicted.queue.isEmpty }
    let revision = try await predicted.session.session().revision
    try await waitInTask(for: "revision \(revision)") { await predicted.replica.map { $0.revision >= revision } ?? false }
  }

  func pick(_ id: Int) -> SessionAction { .step("jobIsPicked", ["id": .integer(id)]) }

  @Test func `waiting actions are shown again before the service is reached, and run once under the same numbers`() async throws {
    let session = try await start()
    try await withoutNetwork(session) { predicted in
      for id in 1...3 { _ = await tap(pick(id), in: predicted) }
      #expect(await predicted.tree.sketch == "main[home, job(id: 1), job(id: 2), job(id: 3)]")
    }
    try await withoutNetwork(session) { predicted in
      #expect(await predicted.tree.sketch == "main[home, job(id: 1), job(id: 2), job(id: 3)]", "nothing was read from the service")
      _ = await tap(.back, in: predicted)
      _ = await tap(.step("noteIsPicked"), in: predicted)
    }
    #expect(try await session.session().revision == 1)
    let predicted = try await predict(session)
    #expect(await predicted.tree.sketch == "main[home, job(id: 1), job(id: 2), note]")
    try await idle(predicted)
    #expect(try await session.session().tree == predicted.tree)
    let senders = try await session.history().entries.dropFirst().map { $0.json["sender"] }
    #expect(senders.map { $0?["action"] } == [1, 2, 3, 4, 5] && Set(senders.map { $0?["client"] }).count == 1)
    #expect(notices.withLock { $0 } == [])
  }

  @Test func `an action whose response was lost with the process is not run again`() async throws {
    let session = try await start()
    var request: Wire.Call?
    try await withoutNetwork(session) { predicted in
      _ = await tap(pick(1), in: predicted)
      let alone = Wire.Call("POST", session.requests.path + "/actions", credential: session.secret)
      let post = Post(request: alone, action: await predicted.queue[0].posted)
      request = try await NumberedPosts(client: predicted.client, first: 1, definition: predicted.definition, items: [(1, post)])
        .request(now: time.withLock { $0 })
    }
    #expect(try await session.requests.wire.exchange(try #require(request)).status == 200)
    let predicted = try await predict(session)
    try await idle(predicted)
    #expect(try await session.session().tree.sketch == "main[home, job(id: 1)]")
    #expect(await predicted.tree.sketch == "main[home, job(id: 1)]")
  }

  @Test func `what others have put on top while the app was closed stays on top`() async throws {
    let session = try await start()
    try await withoutNetwork(session) { predicted in _ = await tap(pick(1), in: predicted) }
    try await session.act(.step("noteIsPicked"))
    try await withoutNetwork(session) { predicted in _ = await tap(.step("jobIsDone"), in: predicted) }
    let predicted = try await predict(session)
    try await idle(predicted)
    #expect(try await session.session().tree.sketch == "main[home, note]")
    #expect(await predicted.groups.isEmpty)
  }

  @Test func `a file that was cut off keeps the actions before the cut`() async throws {
    let session = try await start()
    try await withoutNetwork(session) { predicted in for id in 1...3 { _ = await tap(pick(id), in: predicted) } }
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    try (lines.prefix(2).joined(separator: "\n") + "\n" + lines[2].dropLast(9)).write(to: file, atomically: true, encoding: .utf8)
    let predicted = try await predict(session)
    try await idle(predicted)
    #expect(
      notices.withLock { $0 } == [
        "stored content is discarded in part: the pending actions from the second on cannot be read; the state cannot be read"
      ])
    #expect(try await session.session().tree.sketch == "main[home, job(id: 1)]")
    // The number of a lost action is not used again, because the service may have received the action.
    try await predicted.act(pick(9))
    let last = try #require(try await session.history().entries.last)
    #expect(last.json.at(["sender", "action"]) == 4)
  }

  @Test(arguments: [
    ("", "it was not stored by this client"), ("{}\n", "it was not stored by this client"),
    (#"{"cairn":"session","format":2}"# + "\n", "it has the format 2, not 1"),
    (#"{"cairn":"session","format":1}"# + "\n", "a part of it is missing"),
  ])
  func `a file that is of no use is discarded, and the session begins with the service`(text: String, reason: String) async throws {
    let session = try await start()
    try text.write(to: file, atomically: true, encoding: .utf8)
    let predicted = try await predict(session)
    #expect(try await predicted.act(pick(1)).outcome == .performed)
    #expect(notices.withLock { $0 } == ["stored content is discarded: \(reason)"])
  }

  @Test func `the state of another build is read from the service, and the actions stay`() async throws {
    let session = try await start()
    try await withoutNetwork(session) { predicted in _ = await tap(pick(1), in: predicted) }
    let text = try String(contentsOf: file, encoding: .utf8)
    let other = text.replacing(#""engine":\#(Reducer.engine)"#, with: #""engine":\#(Reducer.engine + 1)"#)
    #expect(other != text)
    try other.write(to: file, atomically: true, encoding: .utf8)
    let predicted = try await predict(session)
    #expect(await predicted.tree.sketch == "main[home, job(id: 1)]")
    try await idle(predicted)
    #expect(try await session.session().tree.sketch == "main[home, job(id: 1)]")
    #expect(notices.withLock { $0 } == ["stored content is discarded in part: the state is of another version of this client"])
  }

  @Test func `the file of another session gives its actions to a group of that session`() async throws {
    let (old, new) = (try await start(), try await start())
    try await withoutNetwork(old) { predicted in for id in 1...2 { _ = await tap(pick(id), in: predicted) } }
    let predicted = try await predict(new)
    await predicted.saved()
    #expect(await predicted.tree.sketch == "main[home]")
    #expect(await predicted.groups.isEmpty)
    let group = try #require(keeping.groups.first)
    #expect(group.session == old.id && group.code == "over" && group.actions.map(\.action) == [pick(1), pick(2)])
    #expect(group.actions.allSatisfy(\.mayHaveRun) && keeping.groups.count == 1)
    #expect(notices.withLock { $0 } == ["stored content is discarded: it belongs to another session or service"])
    await predicted.close()
    try keeping.discard(group.id)
    #expect(keeping.groups.isEmpty)
  }

  @Test func `the file has the secret only if the app has asked for it, and not after a logout`() async throws {
    let session = try await service.client().start(app: "shop", SessionStart(accessToken: "t"))
    let plain = try await predict(session)
    await plain.saved()
    #expect(try !String(contentsOf: file, encoding: .utf8).contains(session.secret))
    #expect(try await service.client().resume(keeping) == nil)
    await plain.close()
    var keeping = keeping
    keeping.remembersSecret = true
    _ = try await session.predicting(keeping)?.saved()
    let resumed = try #require(try await service.client().resume(keeping))
    #expect(resumed.session.id == session.id && resumed.session.secret == session.secret)
    try await resumed.act(.logout)
    await resumed.saved()
    #expect(try !String(contentsOf: file, encoding: .utf8).contains(session.secret))
  }

  @Test func `a file that cannot be written is reported once`() async throws {
    let session = try await start()
    let nowhere = SessionKeeping(file: file.appending(path: "folder/file"), onNotice: keeping.onNotice)
    let predicted = try #require(try await session.predicting(nowhere))
    for id in 1...2 {
      try await predicted.act(pick(id))
      await predicted.saved()
    }
    #expect(notices.withLock { $0.count == 1 && $0[0].hasPrefix("a restart of this app loses the actions that are not sent yet") })
  }

  @Test(arguments: 1...3) func `a week of restarts without a network loses nothing and runs nothing twice`(seed: Int) async throws {
    var chance = Chance(seed: UInt64(seed))
    let session = try await start()
    var count = 0
    for _ in 0..<6 {
      var shown = ""
      try await withoutNetwork(session) { predicted in
        await predicted.cutOff()
        for _ in 0..<12 {
          let action: SessionAction =
            switch chance.below(6) {
            case 0: .back
            case 1: .step("jobIsDone")
            case 2: .step("pinIsEntered", ["pin": "2468"])
            case 3: .step("noteIsPicked")
            default: pick(chance.below(9))
            }
          let waiting = await predicted.queue.count
          let call = Task.immediate { try await predicted.act(action, queue: false) }
          // A gesture that changes nothing is not queued.
          if await predicted.queue.count == waiting { _ = try? await call.value } else { count += 1 }
        }
        shown = await predicted.tree.sketch
      }
      time.withLock { $0 += 86_400_000 }
      clock.advance(by: 86_400_000)
      // The user sees this page only when there is a network again.
      try await session.act(.step("noteIsPicked"))
      let again = try #require(KeptSession.read(keeping))
      #expect(again.pending.count == count && again.next > count)
      let replica = try #require(again.replica?.resumed)
      #expect(replica.revision == 1, "no process has read anything from the service")
      try await withoutNetwork(session) { predicted in
        let tree = await predicted.tree.sketch
        #expect(tree == shown)
      }
    }
    let predicted = try await predict(session)
    try await idle(predicted)
    #expect(await predicted.groups.isEmpty)
    #expect(try await session.session().tree == predicted.tree)
    let entries = try await session.history(limit: 1_000).entries
    let numbers = entries.compactMap { entry -> Int? in
      if case .integer(let number)? = entry.json.at(["sender", "action"]) { number } else { nil }
    }
    #expect(numbers.count == count && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    #expect(entries.filter { $0.json["sender"] == nil }.count == 7)
    #expect(notices.withLock { $0 } == [])
  }
}
