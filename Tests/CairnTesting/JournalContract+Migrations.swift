import CairnCore
import CairnJournal

// Tests sessions that move from one definition to another, and the migration documents between the definitions.
extension JournalContract {
  static let migrationCases: [Case] = [
    Case(description: "migrations of an app are listed by their definitions, with their authors") { journal in
      try journal.writer.commit(JournalBatch(definitions: definitions))
      try expect(try journal.documents.migrations(of: "app"), [])
      let all = [migration("hash", "other", "{}", author: "alice"), migration("hash", "third", "{}"), migration("other", "third", odd)]
      for migration in all.reversed() { try journal.documents.keep(migration) }
      let foreign = migration("hash", "other", "{\"rules\":\"run\"}", of: "b")
      try journal.documents.keep(foreign)
      try expect(try journal.documents.migrations(of: "app"), all)
      try expect(try journal.documents.migrations(of: "b"), [foreign])
      try expect(try journal.documents.migrations(of: "c"), [])
    },
    Case(description: "a migration replaces the one between the same definitions, and no other one") { journal in
      try journal.writer.commit(JournalBatch(definitions: definitions))
      let back = migration("other", "hash", "{}")
      for migration in [migration("hash", "other", "{}", author: "alice"), back, migration("hash", "other", odd, since: 9)] {
        try journal.documents.keep(migration)
      }
      try expect(try journal.documents.migrations(of: "app"), [migration("hash", "other", odd, since: 9), back])
    },
    Case(description: "an entry with a definition moves its session alone") { journal in
      try journal.writer.commit(JournalBatch(definitions: definitions, sessions: ["a", "b", "c"].map { creation(record($0)) }))
      let moved = record("b", definition: "other", revision: 2)
      try journal.writer.commit(JournalBatch(sessions: [SessionWrite(moved, after: 1, entries: [entry(2, by: "b", definition: "other")])]))
      try expect(try journal.sessions.session("b"), moved)
      try expect(try journal.writer.sessions(["a", "b"]), ["a": record("a"), "b": moved])
      try expect(try journal.sessions.page(SessionQuery(definition: "hash", limit: 10))?.ids, ["a", "c"])
      try expect(try journal.sessions.page(SessionQuery(definition: "other", limit: 10))?.ids, ["b"])
      try expect(
        try journal.sessions.uses(of: "app"),
        [DefinitionUse(definition: "hash", sessions: 2, oldest: 10), DefinitionUse(definition: "other", sessions: 1, oldest: 10)])
      try expect(try journal.history.past(of: "b", at: 1)?.definition, "hash")
      try expect(try journal.history.past(of: "b", at: 2)?.definition, "other")
      try expect(try journal.history.entries(of: "b", after: 0, limit: 10).map(\.definition), ["hash", "other"])
      // The next entry does not change the definition.
      let later = record("b", definition: "other", revision: 3)
      try journal.writer.commit(JournalBatch(sessions: [SessionWrite(later, after: 2, entries: [entry(3, by: "b")])]))
      try expect(try journal.sessions.session("b"), later)
      try expect(try journal.history.past(of: "b", at: 3)?.definition, "other")
    },
    Case(description: "a session that moves in the commit that creates it has the new definition") { journal in
      let moved = record("a", definition: "other", revision: 3)
      var write = creation(record("a"))
      write.entries += [entry(2, definition: "other"), entry(3)]
      try journal.writer.commit(JournalBatch(definitions: definitions, sessions: [SessionWrite(moved, after: 0, entries: write.entries)]))
      try expect(try journal.sessions.session("a"), moved)
      try expect(try journal.sessions.page(SessionQuery(definition: "other", limit: 10))?.ids, ["a"])
      try expect(try [1, 2, 3].map { try journal.history.past(of: "a", at: $0)?.definition }, ["hash", "other", "other"])
    },
    Case(description: "each revision of a long session has the definition that it had, whatever states are kept in between") { journal in
      try journal.writer.commit(JournalBatch(definitions: definitions, sessions: [creation(record("a"))]))
      func definition(_ revision: Int) -> String { moves.last { $0.key <= revision }?.value ?? "hash" }
      func long(_ revision: Int) -> SessionRecord { record("a", definition: definition(revision), revision: revision) }
      func step(_ revision: Int) -> JournalEntry { entry(revision, definition: moves.first { $0.key == revision }?.value) }
      for revision in 2...80 {
        try journal.writer.commit(JournalBatch(sessions: [SessionWrite(long(revision), after: revision - 1, entries: [step(revision)])]))
        try expect(try journal.sessions.session("a")?.definition, definition(revision))
      }
      // Several migrations in one commit.
      try journal.writer.commit(JournalBatch(sessions: [SessionWrite(long(150), after: 80, entries: (81...150).map { step($0) })]))
      try expect(try journal.sessions.session("a"), long(150))
      for revision in 1...150 {
        let past = try journal.history.past(of: "a", at: revision)
        try expect(past?.definition, definition(revision))
        try expect(past?.state, long(revision).state)
      }
      try expect(try journal.sessions.uses(of: "app"), [DefinitionUse(definition: definition(150), sessions: 1, oldest: 10)])
    },
    Case(description: "a session that is created with many entries has the states in between, and goes on") { journal in
      let staged = 700
      func long(_ revision: Int) -> SessionRecord { record("a", definition: revision < 300 ? "hash" : "other", revision: revision) }
      var write = creation(record("a"))
      write.entries += (2...staged).map { entry($0, definition: $0 == 300 ? "other" : nil) }
      write = SessionWrite(long(staged), after: 0, entries: write.entries)
      write.stages = [256, 512].map(long)
      try journal.writer.commit(JournalBatch(definitions: definitions, sessions: [write, creation(record("b"))]))
      try expect(try journal.sessions.session("a"), long(staged))
      try expect(try journal.sessions.session("b"), record("b"))
      for revision in [1, 2, 255, 256, 257, 299, 300, 511, 512, 513, 699, 700] {
        let past = try journal.history.past(of: "a", at: revision)
        try expect(past?.state, long(revision).state)
        try expect(past?.definition, long(revision).definition)
        try expect(
          try journal.history.entries(of: "a", after: revision - 1, limit: 2).map(\.entry.revision),
          Array(revision...min(revision + 1, staged)))
      }
      try expect(try journal.history.entries(of: "a", after: 0, limit: 1_000).map(\.entry.revision), Array(1...staged))
      for (revision, state) in try journal.history.snapshots(of: "a", after: 0, through: staged) { try expect(state, long(revision).state) }
      let next = SessionWrite(long(staged + 1), after: staged, entries: [entry(staged + 1)])
      try expect(try journal.writer.commit(JournalBatch(sessions: [next])), [:])
      try expect(try journal.sessions.session("a"), long(staged + 1))
      try expect(try journal.history.past(of: "a", at: 600)?.state, long(600).state)
    },
    Case(description: "a move that conflicts leaves the session on its definition") { journal in
      try journal.writer.commit(JournalBatch(definitions: definitions, sessions: [creation(record("a")), creation(record("b"))]))
      let stale = SessionWrite(record("a", definition: "other", revision: 6), after: 5, entries: [entry(6, definition: "other")])
      let moved = SessionWrite(
        record("b", definition: "other", revision: 2), after: 1, entries: [entry(2, by: "b", definition: "other")])
      try expect(try journal.writer.commit(JournalBatch(sessions: [stale, moved])), ["a": .conflict(session: "a")])
      try expect(try ["a", "b"].map { try journal.sessions.session($0)?.definition }, ["hash", "other"])
      try expect(try journal.sessions.page(SessionQuery(definition: "hash", limit: 10))?.ids, ["a"])
    },
    Case(description: "a rollout and the edition with which it begins are stored together, or not at all") { journal in
      func edition(_ since: Int) -> Edition { Edition(app: "app", definition: "hash", since: since, author: "alice") }
      let rollout = Rollout(
        app: "app", from: "hash", to: "other", moment: .now, rate: 1, isDryRun: false, since: 5, author: "alice")
      let begun = RolloutChange(rollout, after: 0)
      try journal.documents.publish([edition(1)], texts: definitions, after: [:], with: begun)
      try expect(try journal.documents.rollouts(), StoredRollouts(intact: [begun.rollout]))
      // The rollout's stored version differs from the version to replace.
      try expectFault(.outdated(app: "app")) { () throws(JournalError) in
        try journal.documents.publish([edition(2)], texts: definitions, after: ["app": edition(1)], with: begun)
      }
      // The newest stored edition differs from the edition that the publisher knows.
      let reverted = RolloutChange(begun.rollout.with(state: .reverting), after: 1)
      try expectFault(.outdated(app: "app")) { () throws(JournalError) in
        try journal.documents.publish([edition(2)], texts: definitions, after: ["app": edition(7)], with: reverted)
      }
      try expect(try journal.documents.editions(of: "app"), [edition(1)])
      try expect(try journal.documents.rollouts().intact, [begun.rollout])
      try journal.documents.publish([edition(2)], texts: definitions, after: ["app": edition(1)], with: reverted)
      try expect(try journal.documents.editions(of: "app"), [edition(1), edition(2)])
      try expect(try journal.documents.rollouts().rollout(of: "app"), reverted.rollout)
    },
    Case(description: "a deleted session is on no definition") { journal in
      try journal.writer.commit(JournalBatch(definitions: definitions, sessions: [creation(record("a"))]))
      let moved = record("a", definition: "other", revision: 2)
      try journal.writer.commit(JournalBatch(sessions: [SessionWrite(moved, after: 1, entries: [entry(2, definition: "other")])]))
      try journal.writer.commit(JournalBatch(deletions: ["a"]))
      try expect(try journal.sessions.uses(of: "app"), [])
      try expect(try journal.sessions.page(SessionQuery(definition: "other", limit: 10))?.ids, [])
    },
  ]

  /// A migration document of the app.
  static func migration(
    _ from: String, _ to: String, _ document: String, of app: String = "app", since: Int = 5, author: String? = nil
  ) -> StoredMigration {
    StoredMigration(app: app, from: from, to: to, document: document, since: since, author: author)
  }

  private static let definitions = ["hash": "text", "other": "another text", "third": "a third text"]
  private static let odd = #"{"values":{"a":"quote ' \" \\ émoji 🪨 %s ?1"}}"#

  /// The definitions to which a long session moves, by the revision of the move.
  private static let moves: KeyValuePairs = [
    16: "other", 17: "third", 20: "hash", 33: "other", 64: "third", 65: "other", 100: "hash", 101: "third", 149: "other",
  ]
}
