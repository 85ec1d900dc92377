import CairnCore
import CairnRuntime
import CairnTesting
import Foundation
import Testing

@testable import CairnClient

extension `A predicted session in a file` {
  /// An app that locks itself two minutes after the user has left it, by a timer. The effect of another timer depends on a fact that clients do not have.
  static let safe = """
    app: safe
    language: 1
    root: main
    facts: { watch: { type: string, env: WATCH } }
    screens: { home: { emits: [opened, left] }, page: , pin: }
    rules: [{ when: { fact: appState, is: background }, send: appHidden }]
    flows:
      main:
        stack: home
        handle:
          opened: { push: page }
          left: { timer: { after: 1m, send: checkDue, name: check }, of: flow }
          checkDue: [{ when: { fact: watch, is: present }, do: { push: page } }]
          appHidden: { timer: { after: 2m, send: lockDue, name: lock }, of: flow }
          lockDue: [{ when: { not: { screen: pin } }, do: { present: pin, level: 9, sealed: true } }]
    """

  @Test(arguments: [(true, 120), (false, 122)])
  func `a timer that a waiting action has started ticks without the service, which otherwise has two seconds to run it`(
    isCutOff: Bool, seconds: Int
  ) async throws {
    let session = try await start("safe")
    service.refuseStreams(true)
    service.holdNumbered()
    let (waits, wait) = AsyncStream.makeStream(of: (Duration, CheckedContinuation<Void, Never>).self)
    var policy = RetryPolicy()
    policy.pause = { duration in
      guard duration >= .seconds(60) else { return try await waitUntilCancelled() }
      await withCheckedContinuation { wait.yield((duration, $0)) }
    }
    let predicted = try await predict(session, by: CairnClient(url: try #require(service.url), retry: policy))
    if isCutOff { await predicted.cutOff() }
    var updates = await predicted.updates.makeAsyncIterator()
    _ = await updates.next()
    _ = await tap(.appState(.background), in: predicted)
    var pauses = waits.makeAsyncIterator()
    let (duration, end) = try #require(await pauses.next())
    #expect(duration == .seconds(seconds))
    time.withLock { $0 += seconds * 1_000 }
    end.resume()
    #expect(await updates.next()?.tree.sketch == "main[home] ^9 pin")
    await predicted.close()
    service.lose()
  }

  @Test func `an app that was closed without a network locks when it is started a day later`() async throws {
    let session = try await start("safe")
    try await withoutNetwork(session) { predicted in
      for action in [SessionAction.step("opened"), .appState(.background)] { _ = await tap(action, in: predicted) }
    }
    time.withLock { $0 += 86_400_000 }
    clock.advance(by: 86_400_000)
    try await withoutNetwork(session) { predicted in
      try await waitInTask(for: "the lock") { await predicted.tree.sketch == "main[home, page] ^9 pin" }
    }
    let pending = try #require(KeptSession.read(keeping)).pending
    #expect(pending.count == 3 && pending[2].content["type"] == "tick")
    let predicted = try await predict(session)
    #expect(await predicted.tree.sketch == "main[home, page] ^9 pin")
    try await idle(predicted)
    let tree = try await session.session().tree
    #expect(tree.sketch == "main[home, page] ^9 pin")
    #expect(await predicted.tree == tree)
    #expect(await predicted.groups.isEmpty)
  }

  @Test func `after the device has slept, the ticks that are due are posted before the next action`() async throws {
    let session = try await start("safe")
    try await withoutNetwork(session) { predicted in
      await predicted.cutOff()
      _ = await tap(.appState(.background), in: predicted)
      time.withLock { $0 += 86_400_000 }
      _ = await tap(.appState(.foreground), in: predicted)
      #expect(await predicted.tree.sketch == "main[home] ^9 pin")
      #expect(await predicted.queue.map { $0.content["type"] } == ["appState", "tick", "appState"])
    }
  }

  @Test func `a tick that cannot be shown is posted once`() async throws {
    let session = try await start("safe")
    try await withoutNetwork(session) { predicted in
      await predicted.cutOff()
      _ = await tap(.step("left"), in: predicted)
      time.withLock { $0 += 86_400_000 }
      for action in [SessionAction.step("opened"), .appState(.background), .step("opened")] { _ = await tap(action, in: predicted) }
      #expect(await predicted.queue.map { $0.content["type"] ?? $0.content["step"] } == ["left", "tick", "opened", "appState", "opened"])
    }
  }

  @Test func `a predicted session that was closed posts no ticks`() async throws {
    let session = try await start("safe")
    try await withoutNetwork(session) { predicted in
      await predicted.cutOff()
      _ = await tap(.appState(.background), in: predicted)
      await predicted.close()
      time.withLock { $0 += 86_400_000 }
      _ = await tap(.appState(.foreground), in: predicted)
      #expect(await predicted.queue.map { $0.content["type"] } == ["appState", "appState"])
    }
  }
}
