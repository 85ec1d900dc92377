import CairnCore
import CairnJournal
import CairnRuntime
import CairnTesting
import Testing

@testable import CairnStore

@Suite struct `An import of many entries` {
  /// A session with a number of entries, as an import reads it from a file.
  private func imported(_ count: Int, id: String = "imported") -> ImportedSession {
    let definition = Trial.pinned()
    let identity = SessionIdentity(id: id, app: "trial", label: nil, createdAt: 0, secretHash: [1, 2, 3])
    var (entries, stages): ([JournalEntry], [SessionRecord]) = ([], [])
    for revision in 1...count {
      let entry = Entry(revision: revision, stamp: Stamp(time: revision, nonce: "n"), cause: .action(.step(Step("go"), from: nil)))
      entries.append(JournalEntry(entry, cause: [1], difference: [2], definition: revision == 1 ? definition.hash : nil, hash: 7))
      if revision % 256 == 0, revision < count {
        stages.append(SessionRecord(identity, definition: definition.hash, updatedAt: revision, state: State(revision: revision), hash: 7))
      }
    }
    let session = Session(identity, definition: definition, updatedAt: count, state: State(revision: count), hash: 7)
    return ImportedSession(session, entries, beginning: nil, stages: stages, secrets: [:], definitions: [definition])
  }

  private func run(_ imported: ImportedSession, on bench: StoreBench) throws -> Result<Created, StoreFault> {
    switch try awaiting({ bench.store.imports.stage(imported, reply: $0) }) {
    case .success(let staged): try awaiting { bench.store.create(NewSession(staged, origin: EntryOrigin()), reply: $0) }
    case .failure(let fault): .failure(fault)
    }
  }

  @Test func `has no commit with more than 1,279 entries, and all of them in the end`() throws {
    let journal = MemoryJournal()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    _ = try run(imported(60_000), on: bench).get()
    #expect(journal.slices.count == 58 && journal.slices.allSatisfy { $0 <= 1_279 })
    #expect(journal.batches.last?.sessions.first?.entries.count ?? .max <= 1_279)
    #expect(try journal.history.entries(of: "imported", after: 0, limit: .max).map(\.entry.revision) == Array(1...60_000))
    #expect(journal.stagedPlaces == 0)
    // A short import is one commit, without staged entries.
    _ = try run(imported(1_000, id: "short"), on: bench).get()
    #expect(journal.slices.count == 58 && journal.batches.last?.sessions.first?.entries.count == 1_000)
  }

  @Test func `lets the posts of other sessions be committed and answered between its commits`() throws {
    let journal = MemoryJournal()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("other")
    let answered = Lock<[Int]>([])
    journal.whenStaged { slice in
      bench.store.post([Trial.page(slice)], to: "other", matching: nil, message: nil) { _ in
        answered.withLock { $0.append(journal.slices.count) }
      }
    }
    _ = try run(imported(10_000), on: bench).get()
    #expect(try bench.session("other").state.revision == 10)
    let slices = journal.slices.count
    #expect(slices == 9 && answered.withLock { $0.filter { $0 < slices }.count } >= slices - 2, "\(answered.withLock { $0 })")
  }

  @Test func `that fails on the way leaves nothing staged`() throws {
    let journal = MemoryJournal()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    journal.whenStaged { if $0 == 3 { journal.fail(with: .full) } }
    #expect(throws: StoreFault.self) { try run(imported(10_000), on: bench).get() }
    journal.fail(with: nil)
    try wait(for: "the end of the staging") { journal.stagedPlaces == 0 }
    #expect(try journal.sessions.count() == 0)
    // The id is free for another attempt. A second import with the same id is refused.
    journal.whenStaged(nil)
    _ = try run(imported(5_000), on: bench).get()
    #expect(throws: StoreFault.self) { try run(imported(5_000), on: bench).get() }
    try wait(for: "the end of the staging") { journal.stagedPlaces == 0 }
    #expect(try journal.history.entries(of: "imported", after: 0, limit: .max).count == 5_000)
  }
}
