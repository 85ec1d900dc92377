import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore

// Tests promises about repeated requests, forgotten history and outgoing calls that depend on a commit of the other node.
extension TwoStores {
  private static func key(_ number: UInt8) -> RequestKey { RequestKey(name: Fingerprint([number]), print: Fingerprint([number, number])) }

  private static func prepare(_ pair: Pair) throws {
    try pair.a.create("s")
    try pair.warm("s")
    // After these posts, both nodes know the keys of the session.
    try pair.a.postOnce(Trial.page(1), to: "s", key: key(200))
    _ = try pair.b.postOnce(Trial.page(1), to: "s", key: key(200))
  }

  static let promiseCases: [Case] =
    [("performed", Trial.page(2)), ("unchanged", Trial.step("nothing")), ("refused", Trial.nonsense)].map { name, command in
      Case(description: "a repetition with If-Match at the other node receives the first response, which was \(name)") { pair in
        try prepare(pair)
        let first = try pair.a.postOnce(command, to: "s", matching: [2], key: key(1))
        let revision = try pair.b.post(Trial.page(3), to: "s").session.state.revision
        for bench in [pair.b, pair.a, pair.b] {
          let again = try bench.postOnce(command, to: "s", matching: [2], key: key(1))
          try expect(again.isReplay, true)
          try expect(again.content, first.content)
        }
        try expect(try pair.a.session("s").state.revision, revision)
      }
    } + [
      Case(description: "another request under a key that the other node has seen is refused, whatever its condition") { pair in
        try prepare(pair)
        try pair.a.postOnce(Trial.nonsense, to: "s", matching: [2], key: key(1))
        let other = RequestKey(name: key(1).name, print: Fingerprint([9]))
        try expectFault("keyReused") { try pair.b.postOnce(Trial.page(2), to: "s", matching: [99], key: other) }
      },
      Case(description: "a message that one node has processed is a repetition at the other one, also where it is refused now") { pair in
        try prepare(pair)
        let message = Fingerprint([77])
        try pair.a.post(Trial.page(5), to: "s", message: message)
        let revision = try pair.a.session("s").state.revision
        for bench in [pair.b, pair.a] {
          let again = try bench.post(Trial.page(5), to: "s", message: message)
          try expect(again.performed.map(\.transition.reason), ["duplicate"])
        }
        for (command, matching) in [(Trial.page(5), [1]), (Trial.nonsense, nil)] as [(Command, [Int]?)] {
          let again = try pair.b.post(command, to: "s", matching: matching, message: message)
          try expect(again.performed.map(\.transition.outcome), [.unchanged])
        }
        try expect(try pair.b.session("s").state.revision, revision)
        // A message without effect creates no revision, so the commits of the other node do not detect it.
        let quiet = Fingerprint([78])
        try pair.a.post(Trial.step("nothing"), to: "s", message: quiet)
        try pair.b.post(Trial.page(6), to: "s")
        try expect(try pair.b.post(Trial.nonsense, to: "s", message: quiet).performed.map(\.transition.outcome), [.unchanged])
      },
      Case(description: "a creation under a key that the other node has performed is a repetition") { pair in
        let given = try pair.a.createOnce("k", print: Fingerprint([7]))
        try expect(try pair.b.createOnce("k", print: Fingerprint([7])).content, given.content)
        try expectFault("keyReused") { try pair.b.createOnce("k", print: Fingerprint([8])) }
      },
      Case(description: "what one node has forgotten is the beginning at the other one, which has the session in memory") { pair in
        try prepare(pair)
        for page in 2...4 { try pair.a.post(Trial.page(page), to: "s") }
        try pair.warm("s")
        let first = try awaiting { pair.a.store.forget("s", before: nil, matching: nil, reply: $0) }.get()
        try expect(try pair.b.session("s").beginning, first)
        // A post detects the new beginning too, without a preceding read.
        let second = try awaiting { pair.a.store.forget("s", before: nil, matching: nil, reply: $0) }.get()
        try expect(second, first)
        try expect(try pair.b.post(Trial.page(9), to: "s").session.beginning, first)
      },
      Case(description: "a held link that both nodes know is dropped once") { pair in
        try pair.a.create("s")
        try pair.a.post(.open(url: "trial://held?1"), to: "s")
        try pair.b.post(Trial.page(1), to: "s")
        pair.clock.advance(by: 20_000)
        try pair.settle()
        for bench in [pair.a, pair.b] { try expect(try bench.session("s").state.pendingLinks.count, 0) }
        let ends = try pair.b.history(of: "s").items.filter { if case .action(.effect) = $0.entry.cause { true } else { false } }
        try expect(ends.count, 1)
      },
      Case(description: "a post after a forgetting at the other node counts entries from the new beginning") { pair in
        try prepare(pair)
        for page in 2...4 { try pair.b.post(Trial.page(page), to: "s") }
        let first = try awaiting { pair.a.store.forget("s", before: nil, matching: nil, reply: $0) }.get()
        try expect(try pair.b.post(Trial.page(9), to: "s").session.beginning, first)
        try expect(try pair.a.post(Trial.page(10), to: "s").session.beginning, first)
        try expect(try pair.b.session("s").beginning, first)
      },
    ]
    + [("cancelled", Trial.step("quiet")), ("made impossible", nil)].map { name, command in
      Case(description: "a call that another node has \(name) is given up by the node that makes it, within seconds") { pair in
        try pair.a.create("s")
        try pair.a.post(Trial.step("fetch"), to: "s")
        _ = try pair.a.outbound.call(0)
        if let command { try pair.b.post(command, to: "s") } else { try pair.b.delete("s") }
        pair.clock.advance(by: 2_000)
        try pair.a.outbound.waitUntilGivenUp(0)
      }
    }
}
