import CairnCore
import CairnJournal
import CairnStore

// Tests sessions whose history one node forgets while the other one uses the session.
extension TwoStores {
  private static let onceKey = RequestKey(name: Fingerprint([2]), print: Fingerprint([12]))

  private static func forget(_ bench: StoreBench, before revision: Int? = nil, matching: [Int]? = nil) throws -> Int {
    try awaiting { bench.store.forget("s", before: revision, matching: matching?.map { RevisionTag($0) }, reply: $0) }.get()
  }

  /// The session `s` at revision 4, in memory at both nodes.
  private static func prepare(_ pair: Pair) throws {
    try pair.a.create("s")
    for page in 1...3 { _ = try pair.a.post(Trial.page(page), to: "s") }
    try pair.warm("s")
  }

  static let forgettingCases: [Case] = [
    Case(description: "what one node has forgotten the other one does not show, although it has the session in memory") { pair in
      try prepare(pair)
      try expect(try pair.b.session("s", at: 2).state.revision, 2)
      try expect(try forget(pair.a), 4)
      for revision in 1...3 { try expectFault("historyGone 4") { _ = try pair.b.session("s", at: revision) } }
      try expectFault("historyGone 4") { _ = try pair.b.history(of: "s", after: 3) }
      try expect(try pair.b.history(of: "s").items.count, 0)
      try expect(try pair.b.session("s", at: 4).pages, [0, 1, 2, 3])
      try expect(try pair.b.post(Trial.page(4), to: "s").session.pages, [0, 1, 2, 3, 4])
      try expect(try pair.a.history(of: "s").items.map(\.entry.revision), [5])
      try expect(try forget(pair.b), 5)
      try expectFault("historyGone 5") { _ = try pair.a.session("s", at: 4) }
    },
    Case(description: "a response that one node has forgotten is a mark at the other one, and the request never runs again") { pair in
      try prepare(pair)
      _ = try pair.a.postOnce(Trial.page(4), to: "s", key: onceKey)
      try expect(try pair.b.postOnce(Trial.page(4), to: "s", key: onceKey).isReplay, true)
      try expect(try forget(pair.a), 5)
      for bench in [pair.b, pair.a] {
        try expectFault("responseForgotten") { _ = try bench.postOnce(Trial.page(4), to: "s", key: onceKey) }
      }
      try expect(try pair.b.session("s").pages, [0, 1, 2, 3, 4])
    },
    Case(description: "a forgetting that meets a post by the other node runs again, and forgets that too") { pair in
      try prepare(pair)
      pair.beforeCommitsOfA { _ in _ = try? pair.b.post(Trial.page(9), to: "s") }
      try expect(try forget(pair.a), 5)
      try expectFault("historyGone 5") { _ = try pair.b.session("s", at: 4) }
      try expect(try pair.b.session("s").pages, [0, 1, 2, 3, 9])
    },
    Case(description: "a forgetting with a revision that the other node has changed is a conflict") { pair in
      try prepare(pair)
      pair.beforeCommitsOfA { _ in _ = try? pair.b.post(Trial.page(9), to: "s") }
      try expectFault("conflict 5") { _ = try forget(pair.a, matching: [4]) }
      try expect(try pair.a.session("s", at: 1).pages, [0])
    },
    Case(description: "of two forgettings the later beginning stays") { pair in
      try prepare(pair)
      try expect(try forget(pair.b, before: 3), 3)
      try expect(try forget(pair.a, before: 2), 3)
      try expectFault("historyGone 3") { _ = try pair.a.session("s", at: 2) }
      try expect(try pair.a.session("s", at: 3).pages, [0, 1, 2])
      pair.beforeCommitsOfA { _ in _ = try? forget(pair.b) }
      _ = try forget(pair.a, before: 3)
      try expectFault("historyGone 4") { _ = try pair.a.session("s", at: 3) }
      try expect(try pair.b.session("s").pages, [0, 1, 2, 3])
    },
  ]
}
