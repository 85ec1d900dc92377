import CairnCore
import CairnRuntime
import CairnTesting
import Foundation
import Testing

@testable import CairnClient

@Suite struct `Groups of refused actions` {
  private func item(_ number: Int, _ posted: Value = ["type": "back"], isStored: Bool = true, isSent: Bool = false) -> QueuedAction {
    QueuedAction(
      number: number, action: SessionAction(posted), posted: posted, isKept: true, isStored: isStored, isSent: isSent, at: 1_000 + number,
      definition: "d", end: nil)
  }

  private func from(_ action: Int) -> Value { ["step": "s", "from": ["action": .integer(action), "node": 0], "at": 1, "seen": 2] }

  private let reason = RefusedGroups.Reason(code: "invalid", detail: "no")
  private let dismissed = RefusedGroups.Reason(code: "dismissed", detail: "gone")

  @Test func `an action joins the group of the action whose node it names, whatever its code is`() {
    var groups = RefusedGroups(session: "s", client: "c")
    let first = groups.add(item(1), reason, next: 9, now: 5)
    let second = groups.add(item(2), reason, next: 9, now: 6)
    let third = groups.add(item(3, from(1)), reason, next: 9, now: 7)
    #expect(first != second && third == first)
    #expect(groups.own.map { $0.items.map(\.number) } == [[1, 3], [2]] && groups.own.map(\.code) == ["invalid", "invalid"])
    let shown = groups.own[0].shown
    #expect(
      shown.actions[1].action.json == ["step": "s", "from": ["action": 1, "node": 0]] && shown.detail == "no" && shown.session == "s")
    #expect(shown.at == Date(timeIntervalSince1970: 0.005) && shown.actions[1].at == Date(timeIntervalSince1970: 1.003))
  }

  @Test func `an action that waited during a refusal joins its group if its own place is missing`() {
    var groups = RefusedGroups(session: "s", client: "c")
    let first = groups.add(item(1), reason, next: 4, now: 0)
    let others = [3, 5, 6].map { groups.add(item($0), dismissed, next: $0 + 2, now: 0) }
    let last = groups.add(item(7), reason, next: 9, now: 0)
    #expect(others[0] == first && others[1] != first, "action 5 was made after the refusal of action 3")
    #expect(others[2] == others[1] && last != others[2], "the code of action 7 is not of its place")
  }

  @Test func `a request that is refused as a whole is one group`() {
    var groups = RefusedGroups(session: "s", client: "c")
    var last: String?
    for number in 1...3 { last = groups.add(item(number), reason, with: last, next: 4, now: 0) }
    #expect(groups.own.map { $0.items.count } == [3])
  }

  @Test func `an action that may not be stored is missing, and so is the detail of its refusal`() {
    var groups = RefusedGroups(session: "s", client: "c")
    _ = groups.add(item(1, isStored: false), reason, next: 2, now: 0)
    #expect(groups.own.isEmpty)
    _ = groups.add(item(2, from(1)), reason, next: 3, now: 0)
    #expect(groups.own.map(\.shown.actions.count) == [1] && groups.own[0].detail == nil)
    _ = groups.add(item(3, isStored: false), reason, next: 4, now: 0)
    let isFull = groups.tidy(isQueueEmpty: true)
    #expect(!isFull && groups.all.count == 1)
  }

  @Test func `only an action that was sent may have run, and only if the session has ended`() {
    var groups = RefusedGroups(session: "s", client: "c")
    let over = RefusedGroups.Reason(code: "over", detail: "", isOver: true)
    for (number, reason) in [(1, reason), (2, over)] { _ = groups.add(item(number, isSent: true), reason, next: 3, now: 0) }
    _ = groups.add(item(3), over, next: 4, now: 0)
    #expect(groups.own.flatMap { $0.items.map(\.mayHaveRun) } == [false, true, false])
  }

  @Test func `beyond 200 groups the oldest are discarded`() {
    var groups = RefusedGroups(session: "s", client: "c")
    for number in 1...200 { _ = groups.add(item(number), reason, next: number + 1, now: 0) }
    let isFull = groups.tidy(isQueueEmpty: true)
    _ = groups.add(item(201), reason, next: 202, now: 0)
    let isTooFull = groups.tidy(isQueueEmpty: true)
    #expect(!isFull && isTooFull && groups.own.count == 200 && groups.own[0].items[0].number == 2)
  }
}
