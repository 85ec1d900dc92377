import CairnCore
import CairnJournal
import CairnStore

// Tests sessions that one node moves to another definition while the other one uses the session.
extension TwoStores {
  private static let first = Trial.pinned()
  private static let second = Trial.second()
  private static let sheet = Trial.step("openSheet", ["n": 1])

  /// Creates the session `s` on the first definition, reads it in both nodes, and puts a migration document at A.
  private static func prepare(_ pair: Pair) throws {
    try pair.a.create("s")
    try pair.warm("s")
    try pair.a.keep(Trial.migration(from: first, to: second))
  }

  static let migrationCases: [Case] = [
    Case(description: "a session that one node has moved has the new definition at the other one") { pair in
      try prepare(pair)
      try expect(try pair.a.migrate("s").session.definition.hash, second.hash)
      try expect(try pair.b.session("s").definition.hash, second.hash)
      let posted = try pair.b.post(sheet, to: "s")
      try expect(posted.session.pages, [0, 1])
      try expect(posted.session.definition.hash, second.hash)
      try expect(try pair.a.session("s").pages, [0, 1])
      try expect(try [1, 2, 3].map { try pair.b.session("s", at: $0).definition.hash }, [first.hash, second.hash, second.hash])
    },
    Case(description: "a document that one node has put translates posts at the other one, until it is replaced") { pair in
      try prepare(pair)
      try pair.b.migrate("s")
      try expect(try pair.b.post(Trial.page(1), madeFor: first.hash, to: "s").session.pages, [0, 1])
      try pair.a.keep(Trial.migration(from: first, to: second, document: "cancel"))
      try expectFault("definitionChanged \(second.hash): the step openPage was removed") {
        try pair.b.post(Trial.page(2), madeFor: first.hash, to: "s")
      }
    },
    Case(description: "a post that meets a move by the other node runs again, under the new names") { pair in
      try prepare(pair)
      pair.beforeCommitsOfA { _ in _ = try? pair.b.migrate("s") }
      let posted = try pair.a.post(Trial.page(1), madeFor: first.hash, to: "s")
      try expect(posted.session.pages, [0, 1])
      try expect(posted.session.definition.hash, second.hash)
      try expect(posted.performed.map(\.revision), [3])
    },
    Case(description: "a post of an unknown step that meets a move by the other node is judged under the new definition") { pair in
      try prepare(pair)
      pair.beforeCommitsOfA { _ in _ = try? pair.b.migrate("s") }
      try expect(try pair.a.fault(Trial.page(1), to: "s")?.word, "refused invalid at 0 by 2")
    },
    Case(description: "of two moves at once one is performed, and the other finds the session there") { pair in
      try prepare(pair)
      pair.beforeCommitsOfA { _ in _ = try? pair.b.migrate("s") }
      let posted = try pair.a.migrate("s")
      try expect(posted.performed.map(\.transition.reason), ["already-there"])
      try expect(posted.session.state.revision, 2)
      try expect(try pair.b.history(of: "s").items.count, 2)
    },
    Case(description: "a move with a revision that the other node has changed is a conflict") { pair in
      try prepare(pair)
      pair.beforeCommitsOfA { _ in _ = try? pair.b.post(Trial.page(1), to: "s") }
      try expectFault("conflict 2") { try pair.a.migrate("s", matching: [1]) }
      try expect(try pair.a.session("s").definition.hash, first.hash)
    },
    Case(description: "an undo that meets a change by the other node takes that back too") { pair in
      try prepare(pair)
      pair.beforeCommitsOfA { _ in
        _ = try? pair.b.post(Trial.page(1), to: "s")
        _ = try? pair.b.migrate("s")
      }
      let posted = try pair.a.undo("s", to: 1)
      try expect(posted.session.pages, [0])
      try expect(posted.session.definition.hash, first.hash)
      try expect(posted.session.state.revision, 4)
      try expect(try pair.b.session("s").definition.hash, first.hash)
    },
    Case(description: "of two nodes one moves the sessions of a rollout, each once, and both know its end") { pair in
      try prepare(pair)
      for number in 1...40 { try pair.a.create("more\(number)") }
      let rollout = Rollout(
        app: "trial", from: first.hash, to: second.hash, moment: .now, rate: 10_000, isDryRun: false, since: 1, author: "eve")
      _ = try awaiting { pair.b.store.releases.keep(rollout, after: 0, reply: $0) }.get()
      for bench in [pair.a, pair.b] { try wait(for: "the end") { bench.store.releases.rollouts["trial"]?.state == .done } }
      try expect(pair.a.store.releases.rollouts["trial"]?.report.moved, 41)
      for number in 1...40 {
        let session = try pair.a.session("more\(number)")
        try expect(session.definition.hash, second.hash)
        try expect(session.state.revision, 2)
      }
    },
    Case(description: "a rollout that one node has paused moves nothing at the other one, until it is resumed there") { pair in
      try prepare(pair)
      let rollout = Rollout(
        app: "trial", from: first.hash, to: second.hash, moment: .now, rate: 10_000, isDryRun: false, since: 1, author: "eve")
      let paused = try awaiting { pair.a.store.releases.keep(rollout.with(state: .paused), after: 0, reply: $0) }.get()
      try wait(for: "the other node's look") { pair.b.store.releases.rollouts["trial"]?.state == .paused }
      try expect(try pair.b.session("s").definition.hash, first.hash)
      _ = try awaiting { pair.b.store.releases.keep(paused.with(state: .running), after: paused.version, reply: $0) }.get()
      try wait(for: "the end") { pair.a.store.releases.rollouts["trial"]?.state == .done }
      try expect(try pair.a.session("s").definition.hash, second.hash)
    },
    Case(description: "a timer of a session that the other node has moved fires once") { pair in
      try prepare(pair)
      try pair.a.post(Trial.step("sleep"), to: "s")
      try pair.b.migrate("s")
      pair.clock.advance(by: 1_000)
      try pair.settle()
      try expect(try pair.a.session("s").pages, [0, 100])
      try expect(try pair.b.session("s").state.revision, 4)
    },
  ]
}
