import CairnCore
package import CairnJournal

/// A journal violated the contract.
package struct BrokenPromise: Error, CustomStringConvertible {
  package let description: String
}

/// The contract of every journal. Run each case with a new journal.
package enum JournalContract {
  package struct Case: Sendable, CustomStringConvertible {
    package let description: String
    package let run: @Sendable (any Journal) throws -> Void
  }

  package static let cases = generalCases + migrationCases + forgettingCases + stagingCases

  private static let generalCases: [Case] = [
    Case(description: "an empty journal knows nothing") { journal in
      try expect(try journal.sessions.count(), 0)
      try expect(try journal.sessions.session("a"), nil)
      try expect(try journal.sessions.page(SessionQuery(limit: 10)), SessionPage(ids: []))
      try expect(try journal.history.entries(of: "a", after: 0, limit: 10), [])
      try expect(try journal.documents.definition("hash"), nil)
      try expect(try journal.sessions.secret(.token, of: "a"), nil)
    },
    Case(description: "a session comes back as it was written") { journal in
      let record = record("a", label: "mine")
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record)]))
      try expect(try journal.sessions.session("a"), record)
      try expect(try journal.documents.definition("hash"), "text")
      try expect(try journal.history.entries(of: "a", after: 0, limit: 10), creation(record).entries)
      try expect(try journal.sessions.count(), 1)
    },
    Case(description: "several entries of one write are all kept, and the state is the last one") { journal in
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record("a"))]))
      let later = record("a", revision: 4)
      try journal.writer.commit(JournalBatch(sessions: [SessionWrite(later, after: 1, entries: [entry(2), entry(3), entry(4)])]))
      try expect(try journal.sessions.session("a"), later)
      try expect(try revisions(of: "a", in: journal), [1, 2, 3, 4])
    },
    Case(description: "entries are paged oldest first, each session's apart") { journal in
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record("a")), creation(record("b"))]))
      for revision in 2...7 {
        try journal.writer.commit(
          JournalBatch(
            sessions: ["a", "b"].map { id in
              SessionWrite(record(id, revision: revision), after: revision - 1, entries: [entry(revision, by: id)])
            }))
      }
      let page = try journal.history.entries(of: "b", after: 2, limit: 3)
      try expect(page, [entry(3, by: "b"), entry(4, by: "b"), entry(5, by: "b")])
      try expect(try revisions(of: "b", after: 5, limit: 3, in: journal), [6, 7])
      try expect(try journal.history.entries(of: "b", after: 7, limit: 3), [])
      try expect(try revisions(of: "b", limit: 1, in: journal), [1])
    },
    Case(description: "a write for another revision is a conflict of that session alone") { journal in
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record("a")), creation(record("c"))]))
      let stale = SessionWrite(record("a", revision: 6), after: 5, entries: [entry(6)])
      let next = SessionWrite(record("c", revision: 2), after: 1, entries: [entry(2)])
      try expect(
        try journal.writer.commit(JournalBatch(sessions: [creation(record("b")), stale, next])), ["a": .conflict(session: "a")])
      try expect(try journal.sessions.session("a")?.state.revision, 1)
      try expect(try journal.sessions.session("b")?.state.revision, 1)
      try expect(try journal.sessions.session("c")?.state.revision, 2)
      try expect(try journal.history.entries(of: "a", after: 0, limit: 10).count, 1)
    },
    Case(description: "of a session whose checked version has moved nothing is written or deleted, and other sessions are") { journal in
      for id in ["a", "b", "c"] { try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record(id))])) }
      let moved = SessionVersion(1, hash: 7)
      let found = try journal.sessions.version(of: "b") ?? .none
      let checks = JournalBatch.Checks(versions: ["a": moved, "b": found, "c": moved, "d": .none], time: 0)
      let writes = ["a", "b"].map { SessionWrite(record($0, revision: 2), after: 1, entries: [entry(2, by: $0)]) }
      let faults = try journal.writer.commit(JournalBatch(sessions: writes, deletions: ["c"], checks: checks))
      try expect(faults, ["a": .conflict(session: "a"), "c": .conflict(session: "c")])
      try expect(try ["a", "b", "c"].map { try journal.sessions.version(of: $0)?.revision }, [1, 2, 1])
      // A batch that contains only checks.
      try expect(try journal.writer.commit(JournalBatch(checks: .init(versions: ["b": found], time: 0))), ["b": .conflict(session: "b")])
    },
    Case(description: "a checked write under a key that is taken is a conflict, until the response has expired") { journal in
      let one = record("a")
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(one)]))
      try journal.writer.commit(JournalBatch(sessions: [keeping([KeyedAnswer(key(1), answer(1, "first", until: 100))], of: one)]))
      let again = keeping([KeyedAnswer(key(1), answer(1, "second", until: 300))], of: one)
      func commit(at time: Int) throws -> [String: JournalError] {
        try journal.writer.commit(
          JournalBatch(sessions: [again], checks: .init(versions: ["a": try journal.sessions.version(of: "a") ?? .none], time: time)))
      }
      try expect(try commit(at: 99), ["a": .conflict(session: "a")])
      try expect(try journal.writer.answer(key(1), of: "a")?.content.body, Array("first".utf8))
      try expect(try commit(at: 100), [:])
      try expect(try journal.writer.answer(key(1), of: "a")?.content.body, Array("second".utf8))
    },
    Case(description: "an id that is taken is a conflict") { journal in
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record("a"))]))
      try expect(
        try journal.writer.commit(JournalBatch(sessions: [creation(record("a", label: "second"))])), ["a": .conflict(session: "a")])
      try expect(try journal.sessions.session("a")?.label, nil)
    },
    Case(description: "a session as it was at each revision, and the newest revision") { journal in
      try expect(try journal.sessions.version(of: "a"), nil)
      try expect(try journal.history.past(of: "a", at: 1) == nil, true)
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record("a"))]))
      for revision in 2...70 {
        try journal.writer.commit(
          JournalBatch(sessions: [SessionWrite(record("a", revision: revision), after: revision - 1, entries: [entry(revision)])]))
      }
      try expect(try journal.sessions.version(of: "a")?.revision, 70)
      for revision in [1, 2, 16, 17, 18, 33, 69, 70] {
        let past = try journal.history.past(of: "a", at: revision)
        try expect(past?.state, record("a", revision: revision).state)
        try expect(past?.time, revision * 10)
      }
    },
    Case(description: "a definition's text stays as it was first written") { journal in
      try journal.writer.commit(JournalBatch(definitions: ["hash": "text"]))
      try journal.writer.commit(JournalBatch(definitions: ["hash": "other"]))
      try expect(try journal.documents.definition("hash"), "text")
    },
    Case(description: "secrets are kept by slot, replaced and forgotten") { journal in
      var write = creation(record("a"))
      write.secrets = [.token: .keep("first"), .code(effect: 3): .keep("code")]
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [write, creation(record("b"))]))
      try expect(try journal.sessions.secret(.token, of: "a"), "first")
      try expect(try journal.sessions.secret(.code(effect: 3), of: "a"), "code")
      try expect(try journal.sessions.secret(.code(effect: 4), of: "a"), nil)
      try expect(try journal.sessions.secret(.token, of: "b"), nil)
      let secrets: [SecretSlot: SecretChange] = [.token: .keep(""), .code(effect: 3): .forget]
      try journal.writer.commit(
        JournalBatch(sessions: [SessionWrite(record("a", revision: 2), after: 1, entries: [entry(2)], secrets: secrets)]))
      try expect(try journal.sessions.secret(.token, of: "a"), "")
      try expect(try journal.sessions.secret(.code(effect: 3), of: "a"), nil)
    },
    Case(description: "a deletion takes entries, state and secrets of that session alone") { journal in
      var write = creation(record("a"))
      write.secrets = [.token: .keep("token")]
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [write, creation(record("b"))]))
      try journal.writer.commit(JournalBatch(sessions: [SessionWrite(record("a", revision: 2), after: 1, entries: [entry(2)])]))
      try journal.writer.commit(JournalBatch(sessions: [SessionWrite(record("b", revision: 2), after: 1, entries: [entry(2)])]))
      try journal.writer.commit(JournalBatch(deletions: ["a"]))
      try expect(try journal.sessions.session("a"), nil)
      try expect(try journal.history.entries(of: "a", after: 0, limit: 10), [])
      try expect(try journal.sessions.secret(.token, of: "a"), nil)
      try expect(try revisions(of: "b", in: journal), [1, 2])
      try expect(try journal.sessions.count(), 1)
      try journal.writer.commit(JournalBatch(sessions: [creation(record("a"))]))
      try expect(try revisions(of: "a", in: journal), [1])
    },
    Case(description: "sessions are listed by creation, filtered and paged") { journal in
      let records = [
        record("d", app: "x", label: "one"), record("c", app: "y", label: "one"), record("b", app: "x"),
        record("a", app: "x", label: "one"),
      ]
      for record in records { try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record)])) }
      func ids(_ query: SessionQuery) throws -> [String]? { try journal.sessions.page(query).map(\.ids) }
      try expect(try ids(SessionQuery(limit: 10)), ["d", "c", "b", "a"])
      try expect(try ids(SessionQuery(app: "x", limit: 2)), ["d", "b"])
      try expect(try ids(SessionQuery(app: "x", after: "b", limit: 2)), ["a"])
      try expect(try ids(SessionQuery(label: "one", limit: 10)), ["d", "c", "a"])
      try expect(try ids(SessionQuery(app: "x", label: "one", limit: 10)), ["d", "a"])
      try expect(try ids(SessionQuery(after: "nobody", limit: 10)), nil)
    },
    Case(description: "sessions are found by definition and age, and a page goes on whatever was deleted") { journal in
      for (id, time) in [("a", 100), ("b", 100), ("c", 200), ("d", 300), ("e", 400)] {
        var record = record(id)
        record = SessionRecord(
          id: id, app: "app", definition: id == "c" ? "other" : "hash", label: nil, createdAt: time, updatedAt: time, secretHash: [],
          state: record.state)
        try journal.writer.commit(JournalBatch(definitions: ["hash": "text", "other": "text"], sessions: [creation(record)]))
      }
      func ids(_ query: SessionQuery) throws -> [String]? { try journal.sessions.page(query).map(\.ids) }
      try expect(try journal.documents.definitions(), ["hash", "other"])
      try expect(try ids(SessionQuery(definition: "hash", limit: 10)), ["a", "b", "d", "e"])
      try expect(try ids(SessionQuery(createdAfter: 200, createdBefore: 400, limit: 10)), ["c", "d"])
      try expect(try ids(SessionQuery(createdAfter: 100, limit: 1)), ["a"])
      try expect(try ids(SessionQuery(definition: "hash", createdBefore: 400, limit: 10)), ["a", "b", "d"])
      try expect(try ids(SessionQuery(idleSince: 300, limit: 10)), ["a", "b", "c"])
      let page = try journal.sessions.page(SessionQuery(limit: 2))
      try expect(page?.ids, ["a", "b"])
      try expect(try ids(SessionQuery(after: page?.next, limit: 10)), ["c", "d", "e"])
      try expect(try journal.sessions.page(SessionQuery(after: page?.next, limit: 3))?.next, nil)
    },
    Case(description: "effects are taken up with the time when they are due, and only as long as there are some") { journal in
      // In a shared journal, effects belong to nodes.
      guard !journal.cluster.isShared else { return }
      let busy = record("b") {
        $0.effects = [Effect(id: 1, owner: nil, start: 5, work: .value(.null, delay: 100, then: nil, otherwise: nil))]
        $0.nextEffect = 2
      }
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record("a")), creation(busy), creation(record("c"))]))
      try expect(try journal.writer.claimEffects(until: .max), [DueSession(id: "b", due: 105)])
      try journal.writer.commit(
        JournalBatch(sessions: [
          SessionWrite(record("b", revision: 2), after: 1, entries: [entry(2, from: busy.state)])
        ]))
      try expect(try journal.writer.claimEffects(until: .max), [])
    },
    Case(description: "texts come back as they are, whatever is in them") { journal in
      let odd = "quote ' \" \\ line\nnul \u{0001} émoji 🪨 %s ?1"
      let record = record(odd, app: odd, label: odd) {
        $0.facts = ["odd": .string(odd), "number": .number(0.1), "big": .integer(.max), "null": .null]
      }
      let first = JournalEntry(
        Entry(revision: 1, stamp: Stamp(time: record.updatedAt, nonce: odd), cause: .creation(Creation(facts: record.state.facts))),
        from: StateFormat.empty, to: record.state)
      let write = SessionWrite(record, after: 0, entries: [first], secrets: [.token: .keep(odd)])
      try journal.writer.commit(JournalBatch(definitions: ["hash": odd], sessions: [write]))
      try expect(try journal.sessions.session(odd), record)
      try expect(try journal.history.entries(of: odd, after: 0, limit: 1), [first])
      try expect(try journal.sessions.secret(.token, of: odd), odd)
      try expect(try journal.documents.definition("hash"), odd)
    },
    Case(description: "an answer is found by its key and by nobody else's, and is what was written") { journal in
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record("a")), creation(record("b"))]))
      let kept = answer(1, "an answer, \u{0} and all", hole: 3)
      var write = SessionWrite(record("a", revision: 2), after: 1, entries: [entry(2)])
      write.answers = [KeyedAnswer(key(1), kept), KeyedAnswer(key(2), answer(2, ""))]
      try journal.writer.commit(JournalBatch(sessions: [write]))
      try expect(try journal.writer.answer(key(1), of: "a"), kept)
      try expect(try journal.answers.answer(key(1), of: "a"), kept)
      try expect(try journal.writer.answer(key(2), of: "a"), answer(2, ""))
      try expect(try journal.writer.answer(key(3), of: "a"), nil)
      try expect(try journal.writer.answer(key(1), of: "b"), nil)
      try expect(try journal.writer.answer(key(1), of: "nobody"), nil)
      try expect(try journal.writer.answer(.creation, of: "a"), nil)
      try expect(Set(try journal.writer.keys(of: "a")), [print(1), print(2)])
      try expect(try journal.writer.keys(of: "b"), [])
      try expect(try journal.writer.keys(of: "nobody"), [])
    },
    Case(description: "an answer alone is kept without an entry, and everything else stays as it was") { journal in
      let record = record("a") { $0.effects = [] }
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record)]))
      try expect(try journal.writer.commit(JournalBatch(sessions: [keeping([KeyedAnswer(key(1), answer(1, "no"))], of: record)])), [:])
      try expect(try journal.writer.answer(key(1), of: "a"), answer(1, "no"))
      try expect(try journal.sessions.session("a"), record)
      try expect(try revisions(of: "a", in: journal), [1])
      let later = Self.record("a", revision: 2)
      try expect(try journal.writer.commit(JournalBatch(sessions: [SessionWrite(later, after: 1, entries: [entry(2)])])), [:])
      try expect(try journal.sessions.session("a"), later)
    },
    Case(description: "an answer of a write that conflicts is not kept") { journal in
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record("a"))]))
      let stale = keeping([KeyedAnswer(key(1), answer(1, "no"))], of: record("a", revision: 5))
      try expect(try journal.writer.commit(JournalBatch(sessions: [stale])), ["a": .conflict(session: "a")])
      try expect(try journal.writer.answer(key(1), of: "a"), nil)
    },
    Case(description: "the newest two thousand answers of a session are kept, each session's apart, and a key may come again") { journal in
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record("a")), creation(record("b"))]))
      try journal.writer.commit(JournalBatch(sessions: [keeping([KeyedAnswer(key(1), answer(1, "b's"))], of: record("b"))]))
      let first = (1...KeptAnswer.limit).map { KeyedAnswer(key($0), answer($0, "\($0)")) }
      try journal.writer.commit(JournalBatch(sessions: [keeping(first, of: record("a"))]))
      try expect(try journal.writer.answer(key(1), of: "a"), answer(1, "1"))
      try journal.writer.commit(
        JournalBatch(sessions: [keeping([KeyedAnswer(key(KeptAnswer.limit + 1), answer(1, "new"))], of: record("a"))]))
      try expect(try journal.writer.answer(key(1), of: "a"), nil)
      try expect(try journal.writer.answer(key(2), of: "a"), answer(2, "2"))
      try journal.writer.commit(JournalBatch(sessions: [keeping([KeyedAnswer(key(1), answer(1, "again"))], of: record("a"))]))
      try expect(try journal.writer.answer(key(1), of: "a"), answer(1, "again"))
      try expect(try journal.writer.answer(key(2), of: "a"), nil)
      try journal.writer.commit(
        JournalBatch(sessions: [keeping((3_000..<6_000).map { KeyedAnswer(key($0), answer($0, "")) }, of: record("a"))]))
      try expect(try journal.writer.answer(key(3_999), of: "a"), nil)
      try expect(try journal.writer.answer(key(4_000), of: "a"), answer(4_000, ""))
      try expect(try journal.writer.answer(key(1), of: "b"), answer(1, "b's"))
    },
    Case(description: "what has expired is let go of, and the next time is told") { journal in
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record("a"))]))
      try expect(try journal.writer.forgetAnswers(expiredAt: 100), nil)
      let answers = (1...3).map { KeyedAnswer(key($0), answer($0, "", until: 100 * $0)) }
      try journal.writer.commit(JournalBatch(sessions: [keeping(answers, of: record("a"))]))
      try expect(try journal.writer.forgetAnswers(expiredAt: 99), 100)
      try expect(try journal.writer.answer(key(1), of: "a"), answer(1, "", until: 100))
      try expect(try journal.writer.forgetAnswers(expiredAt: 200), 300)
      try expect(try journal.writer.answer(key(2), of: "a"), nil)
      try expect(try journal.writer.answer(key(3), of: "a"), answer(3, "", until: 300))
      try expect(try journal.writer.forgetAnswers(expiredAt: 300), nil)
    },
    Case(description: "a deletion takes the answers; of a keyed creation stays that there was one") { journal in
      var write = creation(record("a"))
      write.answers = [KeyedAnswer(.creation, answer(1, "born")), KeyedAnswer(key(2), answer(2, "two"))]
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [write]))
      try expect(try journal.writer.answer(.creation, of: "a"), answer(1, "born"))
      try journal.writer.commit(JournalBatch(deletions: ["a"]))
      try expect(try journal.writer.answer(key(2), of: "a"), nil)
      let left = try journal.writer.answer(.creation, of: "a")
      try expect(left?.content, RenderedAnswer.none)
      try expect(left?.print, answer(1, "").print)
    },
    Case(description: "editions of an app are kept in order, and the newest of each is known") { journal in
      try expect(try journal.documents.editions().intact, [])
      let first = [Edition(app: "b", definition: "hash", since: 1), Edition(app: "a", definition: "hash", since: 1)]
      try journal.documents.publish(first, texts: texts)
      let put = Edition(app: "b", definition: "other", since: 2, author: "alice", above: "hash")
      try journal.documents.publish([put], texts: ["other": "another text"])
      try expect(try journal.documents.editions().intact, [first[1], put])
      try expect(try journal.documents.editions(of: "b"), [first[0], put])
      try expect(try journal.documents.editions(of: "c"), [])
      try expect(try journal.documents.definition("other"), "another text")
      let many = (3...200).map { Edition(app: "b", definition: "hash", since: $0) }
      try journal.documents.publish(many, texts: texts)
      try expect(try journal.documents.editions(of: "b"), Array(many.suffix(Edition.limit)))
      try expect(try journal.documents.editions(of: "a"), [first[1]])
    },
    Case(description: "an edition is only stored behind the newest one that its publisher knows") { journal in
      func edition(_ since: Int) -> Edition { Edition(app: "app", definition: "hash", since: since, author: "alice") }
      try journal.documents.publish([edition(1)], texts: texts, after: [:])
      try expectFault(.outdated(app: "app")) { () throws(JournalError) in
        try journal.documents.publish([edition(2)], texts: texts, after: [:])
      }
      try journal.documents.publish([edition(2)], texts: texts, after: ["app": edition(1)])
      try expectFault(.outdated(app: "app")) { () throws(JournalError) in
        try journal.documents.publish(
          [Edition(app: "b", definition: "hash", since: 3), edition(3)], texts: ["c": "c"], after: ["app": edition(1)])
      }
      try expect(try journal.documents.editions(of: "app"), [edition(1), edition(2)])
      try expect(try journal.documents.editions(of: "b"), [])
      try expect(try journal.documents.definition("c"), nil)
    },
    Case(description: "what sessions are on is counted, of an app alone") { journal in
      try journal.documents.publish([Edition(app: "app", definition: "unused", since: 1)], texts: ["unused": "x"])
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: ["a", "b", "c"].map { creation(record($0)) }))
      try expect(try journal.sessions.uses(of: "app"), [DefinitionUse(definition: "hash", sessions: 3, oldest: 10)])
      try expect(try journal.sessions.uses(of: "other"), [])
      try journal.writer.commit(JournalBatch(deletions: ["b"]))
      try expect(try journal.sessions.uses(of: "app").map(\.sessions), [2])
    },
    Case(description: "what is derived is derived with 32 bytes that stay the same") { journal in
      try expect(journal.derivationKey.count, 32)
      try expect(journal.derivationKey, journal.derivationKey)
    },
    Case(description: "a probe works and leaves nothing that can be seen") { journal in
      try journal.writer.probe()
      try journal.writer.probe()
      try expect(try journal.sessions.count(), 0)
    },
    Case(description: "after it was closed every call says so") { journal in
      journal.close()
      try expectFault(.closed) { () throws(JournalError) in _ = try journal.writer.commit(JournalBatch(definitions: texts)) }
      try expectFault(.closed) { () throws(JournalError) in _ = try journal.sessions.session("a") }
      try expectFault(.closed) { () throws(JournalError) in try journal.writer.probe() }
      try expectFault(.closed) { () throws(JournalError) in _ = try journal.documents.migrations(of: "app") }
      try expectFault(.closed) { () throws(JournalError) in try journal.documents.keep(migration("hash", "hash", "{}")) }
      journal.close()
    },
  ]

  static let texts = ["hash": "text"]

  /// A session with a state of this revision.
  static func record(
    _ id: String, app: String = "app", definition: String = "hash", label: String? = nil, revision: Int = 1,
    edit: (inout State) -> Void = { _ in }
  ) -> SessionRecord {
    var state = State(revision: revision, environment: ["A": "b"])
    state.nodes[state.root] = Node(id: state.root, kind: .stack, name: "main", owner: nil, parent: nil)
    state.nextNode = state.root.number + 1
    state.facts["seen"] = .integer(revision)
    edit(&state)
    return SessionRecord(
      id: id, app: app, definition: definition, label: label, createdAt: 10, updatedAt: 10 * revision,
      secretHash: [0, 255, 7], state: state)
  }

  /// The entry that leads from the state `before` to a revision. `definition` is set if the entry moves the session to it.
  static func entry(_ revision: Int, by who: String = "a", from before: State? = nil, definition: String? = nil) -> JournalEntry {
    JournalEntry(
      Entry(
        revision: revision, stamp: Stamp(time: revision * 10, nonce: "\(who)-\(revision)"),
        cause: definition.map { .replacement(.migrated(from: "hash", to: $0)) }
          ?? .action(.step(Step("go", params: ["n": .integer(revision)]), from: NodeID(2)))),
      from: before ?? record(who, revision: revision - 1).state, to: record(who, revision: revision).state, definition: definition)
  }

  static func creation(_ record: SessionRecord) -> SessionWrite {
    let first = Entry(revision: 1, stamp: Stamp(time: 10, nonce: "born"), cause: .creation(Creation(environment: ["A": "b"])))
    let entry = JournalEntry(first, from: StateFormat.empty, to: record.state, definition: record.definition, label: record.label)
    return SessionWrite(record, after: 0, entries: [entry])
  }

  private static func key(_ number: Int) -> AnswerKey { .request(print(number)) }

  /// A fingerprint whose first bytes vary as those of hashes do.
  static func print(_ number: Int) -> Fingerprint {
    Fingerprint(withUnsafeBytes(of: (UInt64(number) &* 0x9E37_79B9_7F4A_7C15).bigEndian, Array.init))
  }

  private static func answer(_ number: Int, _ body: String, until: Int = 1_000, hole: Int? = nil) -> KeptAnswer {
    KeptAnswer(
      print: print(number), until: until,
      content: RenderedAnswer(status: 200, head: "ETag: \"1\"\nX: é\n", body: Array(body.utf8), hole: hole))
  }

  private static func keeping(_ answers: [KeyedAnswer], of record: SessionRecord) -> SessionWrite {
    SessionWrite(record, after: record.state.revision, entries: [], answers: answers)
  }

  private static func revisions(of id: String, after: Int = 0, limit: Int = 10, in journal: any Journal) throws -> [Int] {
    try journal.history.entries(of: id, after: after, limit: limit).map(\.entry.revision)
  }

  static func expect<Value: Equatable>(_ found: Value, _ wanted: Value, line: Int = #line) throws {
    guard found != wanted else { return }
    throw BrokenPromise(description: "line \(line): \(found) instead of \(wanted)")
  }

  static func expectFault(
    _ wanted: JournalError, line: Int = #line, _ work: () throws(JournalError) -> Void
  ) throws {
    do {
      try work()
    } catch {
      return try expect(error, wanted, line: line)
    }
    throw BrokenPromise(description: "line \(line): no error instead of \(wanted)")
  }
}
