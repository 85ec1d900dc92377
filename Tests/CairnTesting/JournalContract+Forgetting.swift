import CairnCore
import CairnJournal

// Tests histories that begin later, because their earlier part is forgotten.
extension JournalContract {
  /// A write after which the history of `a` begins at a revision. `newest` is its newest revision.
  private static func forgetting(_ revision: Int, at newest: Int, definition: String = "hash") -> SessionWrite {
    var write = SessionWrite(record("a", definition: definition, revision: newest), after: newest, entries: [])
    write.beginning = beginning(revision, definition: definition)
    return write
  }

  private static func beginning(_ revision: Int, definition: String = "hash") -> PastState {
    PastState(record("a", revision: revision).state, definition: definition, time: revision * 10, hash: 0)
  }

  /// Writes the session `a` with entries up to a revision, `stride` in each commit.
  private static func write(through last: Int, stride: Int = 1, in journal: any Journal) throws {
    try journal.writer.commit(JournalBatch(definitions: ["hash": "text"], sessions: [creation(record("a"))]))
    try goOn(after: 1, through: last, stride: stride, in: journal)
  }

  private static func goOn(after first: Int, through last: Int, stride: Int = 1, in journal: any Journal) throws {
    for after in Swift.stride(from: first, to: last, by: stride) {
      let end = min(after + stride, last)
      let entries = (after + 1...end).map { entry($0) }
      try expect(
        try journal.writer.commit(JournalBatch(sessions: [SessionWrite(record("a", revision: end), after: after, entries: entries)])), [:])
    }
  }

  /// Checks all readable data of the session `a`, whose history begins with `first`.
  private static func expectHistory(from first: Int, through last: Int, in journal: any Journal, line: Int = #line) throws {
    let session = try journal.sessions.session("a")
    try expect(session?.state, record("a", revision: last).state, line: line)
    try expect(session?.beginning, first, line: line)
    try expect(session?.updatedAt, last * 10, line: line)
    try expect(try journal.history.beginning(of: "a")?.revision, first, line: line)
    try expect(try journal.history.beginning(of: "a")?.identity, record("a").identity.hash(journal.hashKey), line: line)
    for revision in Set([first, first + 1, (first + last) / 2, last - 1, last]) where (first...last).contains(revision) {
      let past = try journal.history.past(of: "a", at: revision)
      try expect(past?.state, record("a", revision: revision).state, line: line)
      try expect(past?.time, revision * 10, line: line)
      try expect(past?.definition, "hash", line: line)
    }
    try expect(
      try journal.history.entries(of: "a", after: first, limit: 1_000), first < last ? (first + 1...last).map { entry($0) } : [], line: line
    )
    for revision in Set([1, first / 2, first - 1]) where revision > 0 && revision < first {
      try expectFault(.forgotten(first: first), line: line) { () throws(JournalError) in _ = try journal.history.past(of: "a", at: revision)
      }
      try expectFault(.forgotten(first: first), line: line) { () throws(JournalError) in
        _ = try journal.history.entries(of: "a", after: revision, limit: 1)
      }
    }
    try expectFault(.forgotten(first: first), line: line) { () throws(JournalError) in
      _ = try journal.history.entries(of: "a", after: 0, limit: 10)
    }
  }

  static let forgettingCases: [Case] = [
    Case(description: "a history that is forgotten completely begins with the newest state, and goes on") { journal in
      try write(through: 5, in: journal)
      try expect(try journal.history.beginning(of: "a"), nil)
      try journal.writer.commit(JournalBatch(sessions: [forgetting(5, at: 5)]))
      try expectHistory(from: 5, through: 5, in: journal)
      try expect(try journal.sessions.version(of: "a")?.revision, 5)
      try goOn(after: 5, through: 9, in: journal)
      try expectHistory(from: 5, through: 9, in: journal)
    },
    Case(description: "a history that is forgotten up to the middle of a commit keeps the rest of that commit") { journal in
      try write(through: 40, stride: 7, in: journal)
      try journal.writer.commit(JournalBatch(sessions: [forgetting(18, at: 40)]))
      try expectHistory(from: 18, through: 40, in: journal)
      try goOn(after: 40, through: 44, in: journal)
      try expectHistory(from: 18, through: 44, in: journal)
    },
    Case(description: "a long history is forgotten again and again, and never begins earlier") { journal in
      try write(through: 600, stride: 3, in: journal)
      for first in [100, 101, 300, 599, 600] {
        try journal.writer.commit(JournalBatch(sessions: [forgetting(first, at: 600)]))
        try expectHistory(from: first, through: 600, in: journal)
        try journal.writer.commit(JournalBatch(sessions: [forgetting(first - 1, at: 600)]))
        try expectHistory(from: first, through: 600, in: journal)
      }
      try goOn(after: 600, through: 900, in: journal)
      try expectHistory(from: 600, through: 900, in: journal)
    },
    Case(description: "a write with entries forgets what was before one of them") { journal in
      try write(through: 3, in: journal)
      var write = SessionWrite(record("a", revision: 6), after: 3, entries: [entry(4), entry(5), entry(6)])
      write.beginning = beginning(5)
      try expect(try journal.writer.commit(JournalBatch(sessions: [write])), [:])
      try expectHistory(from: 5, through: 6, in: journal)
      var last = SessionWrite(record("a", revision: 8), after: 6, entries: [entry(7), entry(8)])
      last.beginning = beginning(8)
      try expect(try journal.writer.commit(JournalBatch(sessions: [last])), [:])
      try expectHistory(from: 8, through: 8, in: journal)
    },
    Case(description: "a session can begin with a state and no entries, and other sessions stay as they are") { journal in
      var copied = SessionWrite(record("a", revision: 7), after: 0, entries: [])
      copied.beginning = beginning(7)
      try journal.writer.commit(JournalBatch(definitions: ["hash": "text"], sessions: [copied, creation(record("b"))]))
      try expectHistory(from: 7, through: 7, in: journal)
      try goOn(after: 7, through: 30, in: journal)
      try expectHistory(from: 7, through: 30, in: journal)
      try expect(try journal.history.beginning(of: "b"), nil)
      try expect(try journal.history.entries(of: "b", after: 0, limit: 10), creation(record("b")).entries)
      try expect(try journal.sessions.page(SessionQuery(limit: 10))?.ids, ["a", "b"])
    },
    Case(description: "a session can begin with a state and the entries after it, in one commit") { journal in
      for entries in [1, 40] {
        let last = 7 + entries
        var copied = SessionWrite(record("a", revision: last), after: 0, entries: (8...last).map { entry($0) })
        copied.beginning = beginning(7)
        try expect(try journal.writer.commit(JournalBatch(definitions: ["hash": "text"], sessions: [copied])), [:])
        try expectHistory(from: 7, through: last, in: journal)
        try goOn(after: last, through: last + 3, in: journal)
        try expectHistory(from: 7, through: last + 3, in: journal)
        try expect(try journal.writer.commit(JournalBatch(sessions: [forgetting(last, at: last + 3)])), [:])
        try expectHistory(from: last, through: last + 3, in: journal)
        try journal.writer.commit(JournalBatch(deletions: ["a"]))
      }
    },
    Case(description: "a forgetting of another revision is a conflict, and nothing is forgotten") { journal in
      try write(through: 3, in: journal)
      try expect(try journal.writer.commit(JournalBatch(sessions: [forgetting(4, at: 4)])), ["a": .conflict(session: "a")])
      try expect(try journal.history.beginning(of: "a"), nil)
      try expect(try journal.history.entries(of: "a", after: 0, limit: 10).count, 3)
    },
    Case(description: "responses up to the beginning lose their content, later ones and those of others keep it") { journal in
      func kept(_ number: Int, at revision: Int) -> KeptAnswer {
        KeptAnswer(
          print: print(number), until: 1_000, content: RenderedAnswer(status: 200, head: "", body: Array("secret".utf8)), revision: revision
        )
      }
      try write(through: 2, in: journal)
      var answers = SessionWrite(record("a", revision: 2), after: 2, entries: [])
      answers.answers = [
        KeyedAnswer(.creation, kept(1, at: 1)), KeyedAnswer(.request(print(2)), kept(2, at: 2)),
        KeyedAnswer(.request(print(3)), kept(3, at: 3)),
      ]
      var other = creation(record("b"))
      other.answers = [KeyedAnswer(.creation, kept(1, at: 1)), KeyedAnswer(.request(print(2)), kept(2, at: 1))]
      try journal.writer.commit(JournalBatch(definitions: ["hash": "text"], sessions: [answers, other]))
      try journal.writer.commit(JournalBatch(sessions: [forgetting(2, at: 2)]))
      try expect(try journal.writer.answer(.creation, of: "a"), kept(1, at: 1).forgotten(through: 1))
      try expect(try journal.writer.answer(.request(print(2)), of: "a")?.content, RenderedAnswer.none)
      try expect(try journal.writer.answer(.request(print(3)), of: "a"), kept(3, at: 3))
      try expect(try journal.writer.answer(.creation, of: "b"), kept(1, at: 1))
      try expect(try journal.writer.answer(.request(print(2)), of: "b"), kept(2, at: 1))
      try expect(Set(try journal.writer.keys(of: "a")), [print(2), print(3)])
    },
    Case(description: "a session whose history was forgotten is deleted as others are, and its id is free") { journal in
      try write(through: 40, in: journal)
      try journal.writer.commit(JournalBatch(sessions: [forgetting(20, at: 40)]))
      try journal.writer.commit(JournalBatch(deletions: ["a"]))
      try expect(try journal.sessions.session("a"), nil)
      try expect(try journal.history.beginning(of: "a"), nil)
      try write(through: 3, in: journal)
      try expect(try journal.sessions.session("a")?.beginning, 0)
      try expect(try journal.history.entries(of: "a", after: 0, limit: 10).count, 3)
    },
    Case(description: "a beginning has the definition of its time") { journal in
      try write(through: 3, in: journal)
      try journal.writer.commit(JournalBatch(definitions: ["other": "another text"]))
      let moved = record("a", definition: "other", revision: 4)
      try journal.writer.commit(JournalBatch(sessions: [SessionWrite(moved, after: 3, entries: [entry(4, definition: "other")])]))
      try journal.writer.commit(JournalBatch(sessions: [forgetting(3, at: 4)]))
      try expect(try [3, 4].map { try journal.history.past(of: "a", at: $0)?.definition }, ["hash", "other"])
      try journal.writer.commit(JournalBatch(sessions: [forgetting(4, at: 4, definition: "other")]))
      try expect(try journal.history.past(of: "a", at: 4)?.definition, "other")
      try expect(try journal.sessions.session("a")?.definition, "other")
      try expect(try journal.sessions.page(SessionQuery(definition: "other", limit: 10))?.ids, ["a"])
    },
  ]
}
