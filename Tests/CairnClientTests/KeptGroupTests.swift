import CairnCore
import CairnRuntime
import CairnTesting
import Foundation
import Testing

@testable import CairnClient

extension `A predicted session in a file` {
  /// Posts a step from the shown screen.
  private func step(_ name: String, _ params: [String: Value] = [:], in predicted: PredictedSession) async -> Task<ActionAnswer, any Error>
  {
    let task = Task.immediate { try await predicted.step(name, params) }
    _ = await predicted.tree
    return task
  }

  /// Posts the steps that open a job and a note without a network, and then presents a lock in the service. Returns the session in a second process, after the
  /// service has refused both steps.
  private func refused(_ session: SessionClient) async throws -> PredictedSession {
    try await withoutNetwork(session) { predicted in
      _ = await step("jobIsPicked", ["id": 1], in: predicted)
      _ = await step("noteIsPicked", in: predicted)
      #expect(await predicted.tree.sketch == "main[home, job(id: 1), note]")
    }
    try await session.act(.step("lockIsShown"))
    let predicted = try await predict(session)
    try await idle(predicted)
    return predicted
  }

  @Test func `refused actions are one group, which outlives the process and is posted again with its own nodes`() async throws {
    let session = try await start()
    let first = try await refused(session)
    #expect(try await session.session().tree == first.tree)
    await first.saved()
    await first.close()
    let predicted = try await predict(session)
    let group = try #require(await predicted.groups.first)
    #expect(await predicted.groups.count == 1)
    #expect(group.code == "hidden" && group.actions.map { $0.action.json["step"] } == ["jobIsPicked", "noteIsPicked"])
    #expect(group.actions[1].action.json["from"] == ["action": 1, "node": 0] && group.actions.allSatisfy { !$0.mayHaveRun })
    #expect(keeping.groups == [group])
    try await session.act(.dismiss())
    try await waitInTask(for: "the dismissal") { await predicted.tree.sketch == "main[home]" }
    let answers = try await predicted.retry(group.id)
    #expect(answers.map(\.outcome) == [.performed, .performed])
    #expect(try await session.session().tree.sketch == "main[home, job(id: 1), note]")
    #expect(try await session.session().tree == predicted.tree)
    let last = try await session.history().entries.suffix(2)
    #expect(last.map { $0.json.at(["sender", "action"]) } == [3, 4])
    await #expect { try await predicted.retry(group.id) } throws: { ($0 as? ClientError)?.problem?.code == "group-gone" }
    await predicted.saved()
    #expect(keeping.groups.isEmpty)
  }

  @Test func `actions that are refused again are a new group, which can be discarded`() async throws {
    let predicted = try await refused(start())
    let rejected = await predicted.rejected
    let group = try #require(await predicted.groups.first)
    await #expect { try await predicted.retry(group.id) } throws: { ($0 as? ClientError)?.problem?.code == "hidden" }
    let again = try #require(await predicted.groups.first)
    #expect(await predicted.groups.count == 1)
    #expect(again.id != group.id && again.actions.count == 2)
    #expect(again.actions[1].action.json["from"] == ["action": 3, "node": 0])
    var refusals = rejected.makeAsyncIterator()
    for _ in 1...2 {
      let refusal = await refusals.next()
      #expect(refusal?.group == again.id)
    }
    await predicted.discard(again.id)
    await predicted.discard(group.id)
    #expect(await predicted.groups.isEmpty)
    #expect(keeping.groups.isEmpty)
  }

  @Test func `a group that waits again over a restart is posted once`() async throws {
    let session = try await start()
    let first = try await refused(session)
    await first.saved()
    await first.close()
    try await session.act(.dismiss())
    try await withoutNetwork(session) { predicted in
      let group = try #require(await predicted.groups.first)
      let retry = Task.immediate { try await predicted.retry(group.id) }
      try await waitInTask(for: "the retry") { await predicted.groups.isEmpty }
      retry.cancel()
    }
    #expect(keeping.groups.isEmpty)
    let predicted = try await predict(session)
    try await idle(predicted)
    #expect(try await session.session().tree.sketch == "main[home, job(id: 1), note]")
  }

  @Test func `the end of the session makes a group of the waiting actions, and leaves only the groups in the file`() async throws {
    let session = try await start()
    service.holdNumbered()
    let predicted = try await predict(session)
    let rejected = await predicted.rejected
    let first = await tap(pick(1), in: predicted)
    var arrivals = service.arrivals.makeAsyncIterator()
    _ = await arrivals.next()
    let taps = [first, await tap(pick(2), in: predicted)]
    try await session.end()
    for tap in taps { await #expect { try await tap.value } throws: { ($0 as? ClientError)?.problem?.code == "over" } }
    let group = try #require(await predicted.groups.first)
    #expect(group.code == "over" && group.actions.map(\.action) == [pick(1), pick(2)])
    #expect(group.actions.map(\.mayHaveRun) == [true, false])
    var reported: [String?] = []
    for await refusal in rejected { reported.append(refusal.group) }
    #expect(reported == [group.id, group.id], "each is reported once")
    await #expect { try await predicted.retry(group.id) } throws: { ($0 as? ClientError)?.problem?.code == "over" }
    await #expect { try await predicted.act(.back) } throws: { ($0 as? ClientError)?.problem?.code == "over" }
    await predicted.saved()
    #expect(keeping.groups == [group])
    #expect(try !String(contentsOf: file, encoding: .utf8).contains(#""state":"#))
    service.lose()
    await #expect(throws: ClientError.self, "the service does not have the session") { try await predict(session) }
    try keeping.discard(group.id)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  // MARK: Secrets

  @Test func `a step with a secret waits sealed, over a restart, and the service opens it`() async throws {
    let session = try await start()
    try await withoutNetwork(session) { predicted in
      await predicted.cutOff()
      _ = await tap(.step("pinIsEntered", ["pin": "2468"]), in: predicted)
      #expect(await predicted.tree.sketch == "main[home, note]")
      await #expect(throws: ClientError.self) { try await predicted.act(.token("t"), queue: true) }
    }
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(!text.contains("2468") && text.contains(#""sealed":"#))
    let predicted = try await predict(session)
    #expect(await predicted.tree.sketch == "main[home, note]")
    try await idle(predicted)
    #expect(try await session.session().tree.sketch == "main[home, note]")
    #expect(await predicted.groups.isEmpty)
  }

  @Test func `a key that was read more than 14 days ago seals nothing`() async throws {
    let session = try await start()
    try await withoutNetwork(session) { predicted in
      await predicted.cutOff()
      time.withLock { $0 += 14 * 86_400_000 }
      await #expect { try await predicted.step("pinIsEntered", ["pin": "2468"]) } throws: {
        ($0 as? ClientError)?.text.contains("may contain a secret does not wait") == true
      }
      time.withLock { $0 -= 1 }
      _ = await tap(.step("pinIsEntered", ["pin": "2468"]), in: predicted)
      #expect(await predicted.tree.sketch == "main[home, note]")
    }
  }

  @Test func `a sealed value of another session is refused, and its group has no other`() async throws {
    let session = try await start()
    try await withoutNetwork(session) { predicted in
      await predicted.cutOff()
      _ = await tap(.step("pinIsEntered", ["pin": "2468"]), in: predicted)
      _ = await tap(pick(1), in: predicted)
    }
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: #""sealed":""#)?.upperBound)
    let damaged = text.replacingCharacters(in: start..<text.index(after: start), with: "C")
    try damaged.write(to: file, atomically: true, encoding: .utf8)
    let predicted = try await predict(session)
    try await idle(predicted)
    #expect(await predicted.groups.map(\.code) == ["invalid"])
    #expect(await predicted.groups.map(\.actions.count) == [1])
    #expect(try await session.session().tree.sketch == "main[home, job(id: 1)]")
  }
}

extension PredictedSession {
  /// Makes the session behave as after a request that did not reach the service.
  func cutOff() { isOffline = true }
}
