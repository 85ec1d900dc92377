import CairnCore
import CairnJournal

// Tests entries that are stored before their session exists.
extension JournalContract {
  static let stagingCases: [Case] = [
    Case(description: "staged entries cannot be seen until a write creates their session, and then all of them are there") { journal in
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record("b"))]))
      let place = try journal.writer.stage(part(1...3), at: nil)
      try journal.writer.commit(JournalBatch(sessions: [SessionWrite(record("b", revision: 2), after: 1, entries: [entry(2, by: "b")])]))
      try expect(try journal.writer.stage(part(4...6), at: place), place)
      try expectNothing(in: journal)
      var last = SessionWrite(record("a", revision: 8), after: 0, entries: [entry(7), entry(8)], secrets: [.token: .keep("secret")])
      last.staged = place
      try expect(try journal.writer.commit(JournalBatch(sessions: [last])), [:])
      try expect(try journal.sessions.count(), 2)
      try expect(try journal.sessions.session("a"), record("a", revision: 8))
      try expect(try journal.history.entries(of: "a", after: 0, limit: 10), (1...8).map(staged))
      try expect(try journal.history.entries(of: "a", after: 5, limit: 2).map(\.entry.revision), [6, 7])
      for revision in 1...8 { try expect(try journal.history.past(of: "a", at: revision)?.state, record("a", revision: revision).state) }
      try expect(try journal.sessions.secret(.token, of: "a"), "secret")
      try expect(try journal.sessions.page(SessionQuery(limit: 10))?.ids.sorted(), ["a", "b"])
      // The session can be changed and deleted like any other.
      try journal.writer.commit(JournalBatch(sessions: [SessionWrite(record("a", revision: 9), after: 8, entries: [entry(9)])]))
      try expect(try journal.sessions.session("a")?.state.revision, 9)
      try journal.writer.commit(JournalBatch(deletions: ["a"]))
      try expect(try journal.sessions.session("a"), nil)
    },
    Case(description: "what is given up is gone, and its session cannot be created from it") { journal in
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record("b"))]))
      let place = try journal.writer.stage(part(1...3), at: nil)
      let other = try journal.writer.stage(part(1...3), at: nil)
      try expect(place == other, false)
      try journal.writer.unstage(place)
      try journal.writer.unstage(place)
      var last = SessionWrite(record("a", revision: 4), after: 0, entries: [entry(4)])
      last.staged = other
      try expect(try journal.writer.commit(JournalBatch(sessions: [last])), [:])
      try journal.writer.unstage(other)
      try expect(try journal.history.entries(of: "a", after: 0, limit: 10), (1...4).map(staged))
      try expect(try journal.sessions.count(), 2)
    },
    Case(description: "of two writes of a session with staged entries the second is a conflict, and the first stays whole") { journal in
      try journal.writer.commit(JournalBatch(definitions: texts, sessions: [creation(record("b"))]))
      for (index, isWritten) in [true, false].enumerated() {
        let place = try journal.writer.stage(part(1...3), at: nil)
        var last = SessionWrite(record("a", revision: 4), after: 0, entries: [entry(4)])
        last.staged = place
        let faults = try journal.writer.commit(JournalBatch(sessions: [last]))
        try expect(faults, isWritten ? [:] : ["a": .conflict(session: "a")], line: index)
        try journal.writer.unstage(place)
      }
      try expect(try journal.history.entries(of: "a", after: 0, limit: 10), (1...4).map(staged))
    },
  ]

  private static func expectNothing(in journal: any Journal) throws {
    try expect(try journal.sessions.count(), 1)
    try expect(try journal.sessions.session("a"), nil)
    try expect(try journal.sessions.version(of: "a"), nil)
    try expect(try journal.history.entries(of: "a", after: 0, limit: 10), [])
    try expect(try journal.history.past(of: "a", at: 2)?.revision, nil)
    try expect(try journal.sessions.page(SessionQuery(limit: 10))?.ids, ["b"])
    try expect(try journal.sessions.uses(of: "app").map(\.sessions), [1])
  }

  /// An entry of the session; the first is its creation.
  private static func staged(_ revision: Int) -> JournalEntry {
    revision == 1 ? creation(record("a")).entries[0] : entry(revision)
  }

  private static func part(_ revisions: ClosedRange<Int>) -> StagedEntries {
    StagedEntries(revisions.map(staged), stages: [record("a", revision: revisions.upperBound)], definitions: texts)
  }
}
