import CairnCore
import CairnJournal
import CairnTesting
import Testing

@testable import CairnStore

@Suite struct `Queue of due times` {
  private func key(_ session: String, _ effect: Int = 1) -> EffectKey { EffectKey(session: session, effect: effect) }

  @Test func `items are returned by time, then in the order of their insertion`() {
    var queue = DueQueue()
    queue.set(key("b", 2), due: 5)
    queue.set(key("b", 1), due: 5)
    queue.set(key("a", 2), due: 5)
    queue.set(key("c", 9), due: 4)
    #expect(queue.earliest == 4)
    #expect(queue.take(at: 3) == nil)
    var order: [EffectKey] = []
    while let next = queue.take(at: 5) { order.append(next) }
    #expect(order == [key("c", 9), key("b", 1), key("a", 2), key("b", 2)])
    #expect(queue.earliest == nil)
  }

  @Test func `an item can be moved and removed at any position`() {
    var chance = Chance(seed: 11)
    var queue = DueQueue()
    var wanted: [EffectKey: Int] = [:]
    for _ in 0..<5_000 {
      let key = key("s\(chance.below(300))")
      let due = chance.isHeads(oneIn: 3) ? nil : chance.below(50)
      queue.set(key, due: due)
      wanted[key] = due
      #expect(queue.count == wanted.count)
    }
    var last = 0
    while let next = queue.take(at: 50) {
      guard let due = wanted.removeValue(forKey: next) else {
        Issue.record("one that was taken out came")
        return
      }
      #expect(due >= last)
      last = due
    }
    #expect(wanted.isEmpty)
  }

  @Test func `a cancelled timer is removed at once`() {
    var schedule = EffectSchedule()
    var state = State(revision: 1)
    state.effects = (1...3).map { id in
      Effect(id: id, owner: nil, start: 0, work: .timer(name: nil, step: Step("s"), delay: 1_000 * id, period: nil, ticks: 0))
    }
    _ = schedule.follow("a", from: [], to: state, at: 0)
    #expect(schedule.waiting == 3)
    var after = state
    after.effects.remove(at: 1)
    #expect(schedule.follow("a", from: state.effects, to: after, at: 0).gone == [key("a", 2)])
    #expect(schedule.waiting == 2)
    _ = schedule.follow("a", from: after.effects, to: nil, at: 0)
    #expect(schedule.waiting == 0)
    #expect(schedule.count == 0)
  }

  @Test func `a timer whose tick changed nothing waits for its session, and then ticks at its next time`() {
    var schedule = EffectSchedule()
    var state = State(revision: 1)
    state.effects = [
      Effect(id: 1, owner: nil, start: 0, work: .timer(name: nil, step: Step("s"), delay: 5_000, period: 5_000, ticks: 0))
    ]
    _ = schedule.follow("a", from: [], to: state, at: 0)
    #expect(schedule.take(at: 5_000, limit: 10) == [.run(key("a"), tick: 1)])
    schedule.rest(key("a"))
    #expect(schedule.earliest == nil)
    #expect(schedule.take(at: 1_000_000, limit: 10) == [])
    _ = schedule.follow("a", from: state.effects, to: state, at: 1_002_000)
    #expect(schedule.earliest == 1_005_000)
    #expect(schedule.take(at: 1_005_000, limit: 10) == [.run(key("a"), tick: 201)])
  }
}

@Suite struct `Cache with a limit in bytes` {
  @Test func `the most recently used items stay within the limit, and one item always stays`() {
    var recent = RecentlyUsed<String, Int>(limit: 100)
    for (index, name) in ["a", "b", "c"].enumerated() { recent.keep(index, for: name, weight: 40) }
    #expect(recent.weight == 80)
    #expect(recent["a"] == nil)
    #expect(recent["b"] == 1)
    recent.keep(3, for: "d", weight: 40)
    #expect(recent["c"] == nil)
    recent.keep(4, for: "b", weight: 90)
    #expect(recent.count == 1)
    #expect(recent.weight == 90)
    recent.keep(5, for: "e", weight: 1_000)
    #expect(recent["e"] == 5)
    recent.forget("e")
    #expect(recent.weight == 0)
  }

  @Test func `the weight of a session includes its state`() {
    let session = Session(
      id: "a", definition: Trial.pinned(), label: nil, createdAt: 0, updatedAt: 0, secretHash: [], state: State(revision: 1))
    var state = State(revision: 2)
    state.facts["x"] = .string(String(repeating: "x", count: 100_000))
    let full = session.at(state, updatedAt: 0, hash: 0, difference: 100_000)
    #expect(full.weight > session.weight + 100_000)
    let emptied = full.at(State(revision: 3), updatedAt: 0, hash: 0, difference: 100_000)
    #expect(emptied.weight < session.weight + 100_000)
  }
}
