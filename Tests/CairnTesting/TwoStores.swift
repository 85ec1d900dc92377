import CairnCore
package import CairnJournal
import CairnRuntime
import CairnStore

/// Properties that must hold when two stores, as on two nodes, use one journal. Each case runs with a new journal.
package enum TwoStores {
  package struct Case: Sendable, CustomStringConvertible {
    package let description: String
    let body: @Sendable (Pair) throws -> Void

    /// Runs the case on one journal, which the caller closes afterwards.
    package func run(on journal: any Journal) throws {
      let shared = JournalHandle.Shared(journal)
      try run(Pair(JournalHandle(shared), JournalHandle(shared)))
    }

    /// Runs the case on two journals of one database, which the caller closes afterwards.
    package func run(on one: any Journal, _ other: any Journal) throws {
      try run(Pair(JournalHandle(only: one), JournalHandle(only: other)))
    }

    private func run(_ pair: Pair) throws {
      defer { pair.stop() }
      try body(pair)
    }
  }

  /// Two stores on one journal, with one clock.
  final class Pair: Sendable {
    let a, b: StoreBench
    let handleA, handleB: JournalHandle
    let clock = ManualClock()

    init(_ one: JournalHandle, _ other: JournalHandle) throws {
      (handleA, handleB) = (one, other)
      let limits = StoreLimits(sampling: 86_400_000)
      a = try StoreBench(handleA, clock: clock, limits: limits)
      b = try StoreBench(handleB, clock: clock, limits: limits)
    }

    func stop() {
      handleA.onCommit(nil)
      handleB.onCommit(nil)
      a.store.stop()
      b.store.stop()
    }

    /// Runs `body` with the number of the commit before each of the next `times` commits of A. A commit conflicts if `body` changes its session at B.
    func beforeCommitsOfA(_ times: Int = 1, _ body: @escaping @Sendable (Int) -> Void) {
      let count = Lock(0)
      handleA.onCommit { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number <= times { body(number) }
      }
    }

    /// Returns when both stores have processed all due work, including repeated work.
    func settle() throws {
      for bench in [a, b, a, b] { try bench.settle() }
    }

    /// Reads the session at its newest revision in both stores.
    func warm(_ id: String) throws {
      _ = try a.session(id)
      _ = try b.session(id)
    }
  }

  private static let key = RequestKey(name: Fingerprint([1]), print: Fingerprint([11]))

  package static let cases =
    generalCases + migrationCases + secretCases + numberedCases + forgettingCases + promiseCases + refreshCases + messageCases

  private static let generalCases: [Case] = [
    Case(description: "a read that begins after the response of the other node shows its revision") { pair in
      try pair.a.create("s")
      for n in 1...50 {
        let posted = try (n.isMultiple(of: 2) ? pair.a : pair.b).post(Trial.page(n), to: "s")
        let seen = try (n.isMultiple(of: 2) ? pair.b : pair.a).session("s")
        try expect(seen.state.revision, posted.session.state.revision)
      }
      try expect(try pair.a.session("s").pages, [0] + Array(1...50))
    },
    Case(description: "requests at both nodes lose nothing, repeat nothing and leave no gap") { pair in
      try pair.a.create("s")
      let results = Monitor<[Int: Result<Posted, StoreFault>]>([:])
      for n in 1...200 {
        (n.isMultiple(of: 2) ? pair.a : pair.b).store.post([Trial.page(n)], to: "s") { result in results.change { $0[n] = result } }
      }
      let all = try results.wait(for: "all responses") { $0.count == 200 ? $0 : nil }
      let pages = try pair.a.session("s").pages.dropFirst()
      let accepted = all.filter { if case .success = $0.value { true } else { false } }
      // Contended requests are rejected and leave no trace.
      for case .failure(let fault) in all.values { try expect(fault.word, "contended") }
      try expect(pages.sorted(), accepted.keys.sorted())
      let revisions = try accepted.values.map { try $0.get().session.state.revision }.sorted()
      try expect(revisions, Array(2..<(2 + accepted.count)))
      for (n, result) in accepted {
        let posted = try result.get()
        try expect(posted.session.pages.last, n)
      }
    },
    Case(description: "of two requests with the same If-Match one is performed, the other gets the new revision") { pair in
      try pair.a.create("s")
      try pair.warm("s")
      pair.beforeCommitsOfA { _ in _ = try? pair.b.post(Trial.page(2), to: "s", matching: [1]) }
      try expect(try pair.a.fault(Trial.page(1), to: "s", matching: [1])?.word, "conflict 2")
      try expect(try pair.a.session("s").pages, [0, 2])
    },
    Case(description: "an If-Match of a stale state is judged against the newest one") { pair in
      try pair.a.create("s")
      try pair.warm("s")
      try pair.b.post(Trial.page(1), to: "s")
      try expect(try pair.a.fault(Trial.page(2), to: "s", matching: [1])?.word, "conflict 2")
      try expect(try pair.a.post(Trial.page(2), to: "s", matching: [2]).session.pages, [0, 1, 2])
    },
    Case(description: "a refusal is judged against the newest state, and stored under its key as that") { pair in
      try pair.a.create("s")
      try pair.warm("s")
      try pair.a.post(Trial.page(1), to: "s")
      let refused = try pair.b.postOnce(Trial.nonsense, to: "s", key: key)
      try expect(refused.content.status, 409)
      try expect(refused.word, "refused invalid at 0 by 2")
      try expect(try pair.a.postOnce(Trial.nonsense, to: "s", key: key).isReplay, true)
    },
    Case(description: "a refusal without a key is judged against the newest state") { pair in
      try pair.a.create("s")
      try pair.warm("s")
      try pair.a.post(Trial.page(1), to: "s")
      try expect(try pair.b.fault(Trial.nonsense, to: "s")?.word, "refused invalid at 0 by 2")
    },
    Case(description: "a request with a key at both nodes runs once, and both get the same response") { pair in
      try pair.a.create("s")
      try pair.warm("s")
      let other = Lock<GivenAnswer?>(nil)
      pair.beforeCommitsOfA { _ in
        let given = try? pair.b.postOnce(Trial.page(1), to: "s", key: key)
        other.withLock { $0 = given }
      }
      let given = try pair.a.postOnce(Trial.page(1), to: "s", key: key)
      try expect(given.isReplay, true)
      try expect(other.withLock { $0?.isReplay }, false)
      try expect(other.withLock { $0 }?.content, Optional(given.content))
      try expect(try pair.a.session("s").pages, [0, 1])
    },
    Case(description: "a refusal under a key at both nodes is stored once") { pair in
      try pair.a.create("s")
      try pair.warm("s")
      pair.beforeCommitsOfA { _ in _ = try? pair.b.postOnce(Trial.nonsense, to: "s", key: key) }
      try expect(try pair.a.postOnce(Trial.nonsense, to: "s", key: key).isReplay, true)
    },
    Case(description: "a creation with a key at both nodes makes one session") { pair in
      pair.beforeCommitsOfA { _ in _ = try? pair.b.createOnce("s", print: Fingerprint([7])) }
      let given = try pair.a.createOnce("s", print: Fingerprint([7]))
      try expect(given.isReplay, true)
      try expect(try pair.a.history(of: "s").items.count, 1)
    },
    Case(description: "a session that the other node deleted is unknown at once, also to a request under way") { pair in
      try pair.a.create("s")
      try pair.warm("s")
      pair.beforeCommitsOfA { _ in try? pair.b.delete("s") }
      try expect(try pair.a.fault(Trial.page(1), to: "s")?.word, "unknownSession")
      try expectUnknown { _ = try pair.a.session("s") }
    },
    Case(description: "a deletion with If-Match loses against a commit of the other node") { pair in
      try pair.a.create("s")
      try pair.warm("s")
      pair.beforeCommitsOfA { _ in _ = try? pair.b.post(Trial.page(1), to: "s") }
      do {
        try pair.a.delete("s", matching: [1])
        throw BrokenPromise(description: "the deletion was performed")
      } catch let fault as StoreFault {
        try expect(fault.word, "conflict 2")
      }
      try expect(try pair.a.session("s").pages, [0, 1])
    },
    Case(description: "of a batch only the session that conflicts runs again") { pair in
      for n in 1...16 { try pair.a.create("s\(n)") }
      for n in 1...16 { try pair.warm("s\(n)") }
      // The first commit holds the writer, so that the next sixteen requests are one batch.
      let (isHeld, isFree) = (Monitor(false), Monitor(false))
      let batches = Lock<[Int]>([])
      pair.handleA.onCommit { batch in
        batches.withLock { $0.append(batch.sessions.count) }
        if batches.withLock({ $0.count }) == 1 {
          isHeld.change { $0 = true }
          isFree.wait { $0 ? () : nil }
        } else if batches.withLock({ $0.count }) == 2 {
          _ = try? pair.b.post(Trial.page(100), to: "s7")
        }
      }
      let results = Monitor<[Int: Result<Posted, StoreFault>]>([:])
      pair.a.store.post([Trial.page(0)], to: "s1") { _ in }
      try isHeld.wait(for: "the first commit") { $0 ? () : nil }
      for n in 1...16 { pair.a.store.post([Trial.page(n)], to: "s\(n)") { result in results.change { $0[n] = result } } }
      isFree.change { $0 = true }
      let all = try results.wait(for: "all responses") { $0.count == 16 ? $0 : nil }
      for result in all.values { _ = try result.get() }
      try expect(batches.withLock { Array($0.dropFirst().prefix(2)) }, [16, 1])
      try expect(try pair.a.session("s7").pages, [0, 100, 7])
    },
    Case(description: "a request that conflicts twice runs while its session is held") { pair in
      try pair.a.create("s")
      try pair.warm("s")
      // The third commit of A happens while A holds the session, so B's commit waits for A's commit.
      pair.beforeCommitsOfA(3) { number in
        if number < 3 {
          _ = try? pair.b.post(Trial.page(number), to: "s")
        } else {
          pair.b.store.post([Trial.page(number)], to: "s") { _ in }
        }
      }
      try expect(try pair.a.post(Trial.page(9), to: "s").session.pages, [0, 1, 2, 9])
      try expect(pair.a.store.figures.conflicts, 2)
      try expect(pair.a.store.figures.reruns, 2)
    },
    Case(description: "requests of a session keep their order when the first one runs again") { pair in
      try pair.a.create("s")
      try pair.warm("s")
      let results = Monitor(0)
      pair.beforeCommitsOfA { _ in
        _ = try? pair.b.post(Trial.page(50), to: "s")
        for n in 2...5 { pair.a.store.post([Trial.page(n)], to: "s") { _ in results.change { $0 += 1 } } }
      }
      try pair.a.post(Trial.page(1), to: "s")
      try results.wait(for: "the other responses") { $0 == 4 ? () : nil }
      try expect(try pair.a.session("s").pages, [0, 50, 1, 2, 3, 4, 5])
    },
    Case(description: "a timer that both nodes know fires once") { pair in
      try pair.a.create("s")
      try pair.a.post(Trial.step("sleep"), to: "s")
      try pair.b.post(Trial.page(1), to: "s")
      pair.clock.advance(by: 1_000)
      try pair.settle()
      try expect(try pair.a.session("s").pages, [0, 1, 100])
    },
    Case(description: "a node forgets the timer of a session that the other one has deleted") { pair in
      try pair.a.create("s")
      try pair.a.post(Trial.step("sleep"), to: "s")
      try pair.b.delete("s")
      pair.clock.advance(by: 1_000)
      try pair.settle()
      try expect(pair.a.store.figures.nextDue, nil)
    },
    Case(description: "a call is sent by the node that began it") { pair in
      try pair.a.create("s")
      try pair.a.post(Trial.step("fetch"), to: "s")
      _ = try pair.a.outbound.call(0)
      try pair.b.post(Trial.page(1), to: "s")
      try pair.b.settle()
      try expect([pair.a.outbound.count, pair.b.outbound.count], [1, 0])
      try pair.a.outbound.end(0, .json(.null))
      try pair.settle()
      try expect(try pair.b.session("s").pages, [0, 1, 200])
    },
  ]

  static func expect<Value: Equatable>(_ found: Value, _ wanted: Value, line: Int = #line) throws {
    if found != wanted { throw BrokenPromise(description: "line \(line): \(found) instead of \(wanted)") }
  }

  /// Throws unless `body` throws the fault with this word.
  static func expectFault(_ word: String, line: Int = #line, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let fault as StoreFault {
      return try expect(fault.word, word, line: line)
    }
    throw BrokenPromise(description: "line \(line): no error")
  }

  private static func expectUnknown(line: Int = #line, _ body: () throws -> Void) throws {
    try expectFault("unknownSession", line: line, body)
  }
}
