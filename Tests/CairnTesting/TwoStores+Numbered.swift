import CairnCore
import CairnJournal
import CairnStore

// Tests numbered actions that both nodes receive.
extension TwoStores {
  private static let client = "client-of-twenty-two-x"

  private static func post(_ numbers: ClosedRange<Int>, _ bench: StoreBench, refused: Int? = nil) throws -> [String] {
    let actions = numbers.map { number in
      NumberedAction(number == refused ? Trial.nonsense : Trial.page(number), number: WideInt(number), print: Fingerprint([UInt8(number)]))
    }
    let post = NumberedPost(
      actions, of: client, madeFor: nil, to: "s", origin: EntryOrigin(),
      key: { Fingerprint([7, UInt8(truncatingIfNeeded: $0)]) },
      render: { result, session, number, _ in
        let word = if case .success = result { "ran at \(session.state.revision)" } else { "refused" }
        return RenderedAnswer(status: 200, head: "", body: Array("\(number) \(word)".utf8))
      }, created: { _ in [] })
    return try awaiting { bench.store.post(post, reply: $0) }.get().answers.map { answer in
      switch answer.content {
      case .given(let content, _): String(decoding: content.body, as: UTF8.self)
      case .known: "\(answer.number) known"
      case .notRun(let fault): "\(answer.number) not run: \(fault)"
      }
    }
  }

  static let numberedCases: [Case] = [
    Case(description: "a numbered action runs once, whichever node receives it again") { pair in
      try pair.a.create("s")
      let first = try post(1...3, pair.a)
      try expect(first, ["1 ran at 2", "2 ran at 3", "3 ran at 4"])
      try expect(try post(1...4, pair.b), first + ["4 ran at 5"])
      try expect(try post(4...4, pair.a), ["4 ran at 5"])
      try expect(try pair.a.session("s").state.clients, [Sender(client: client, number: 4)])
    },
    Case(description: "numbered actions that both nodes receive at once run once") { pair in
      try pair.a.create("s")
      try pair.warm("s")
      pair.beforeCommitsOfA { _ in _ = try? post(1...3, pair.b) }
      try expect(try post(1...3, pair.a), ["1 ran at 2", "2 ran at 3", "3 ran at 4"])
      try expect(try pair.b.session("s").state.revision, 4)
    },
    Case(description: "a refusal by one node is its response also at another one that has run later numbers") { pair in
      try pair.a.create("s")
      try expect(try post(1...1, pair.b, refused: 1), ["1 refused"])
      try expect(try post(2...2, pair.a), ["2 ran at 2"])
      try expect(try post(1...2, pair.a, refused: 1), ["1 refused", "2 ran at 2"])
    },
    Case(description: "when the responses have expired, both nodes know the numbers") { pair in
      try pair.a.create("s")
      _ = try post(1...3, pair.a)
      pair.clock.advance(by: 86_400_001)
      try expect(try post(2...3, pair.b), ["2 known", "3 known"])
      try expect(try pair.b.history(of: "s").items.map(\.entry.stamp.sender?.number), [nil, 1, 2, 3])
    },
    Case(description: "an action that one node holds is performed by the contact that another node receives") { pair in
      try pair.a.create("s")
      try pair.a.post(Trial.page(1), numberedFrom: 1, of: client, to: "s")
      try pair.a.post(.action(.settled(.gesture(.popToRoot, from: nil))), to: "s")
      try pair.b.post(Trial.page(2), numberedFrom: 2, of: client, to: "s")
      try expect(try pair.b.session("s").pages, [0, 1, 2])
      try pair.b.post(.action(.contact), numberedFrom: 3, of: client, to: "s")
      try expect(try pair.a.session("s").pages, [0])
      try expect(try pair.a.session("s").state.heldActions, [])
    },
  ]
}
