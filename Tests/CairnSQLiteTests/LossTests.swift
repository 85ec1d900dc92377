import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Foundation
import Testing

@testable import CairnSQLite

/// A loss of data is detected before the files are changed.
@Suite(.tags(.timing), .ownThreads) struct `Detected losses` {
  let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  /// The files of a process that was killed after it had posted `pages` pages to a session, written the mark, and posted `more` further pages.
  private func crashed(pages: Int = 20, then more: Int = 0) throws -> TemporaryDatabase {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    for page in 1...pages { try bench.post(Trial.page(page), to: "a") }
    journal.mark()
    if more > 0 { for page in 1...more { try bench.post(Trial.page(pages + page), to: "a") } }
    return try database.crashed()
  }

  private func loss(_ database: TemporaryDatabase) -> Loss? {
    do {
      try database.open().close()
      return nil
    } catch {
      guard case .lost(_, let loss)? = error as? SQLiteJournalError else {
        Issue.record("\(error)")
        return nil
      }
      return loss
    }
  }

  private func url(_ suffix: String, _ database: TemporaryDatabase) -> URL { URL(filePath: database.path + suffix) }

  private func cutLog(to part: Double, _ database: TemporaryDatabase) throws {
    let handle = try FileHandle(forWritingTo: url("-wal", database))
    try handle.truncate(atOffset: UInt64(Double(try usedLog(database)) * part))
    try handle.close()
  }

  /// The size in bytes of the used part of the log. The rest may contain frames from before the last restart, whose salts differ from those in the header.
  private func usedLog(_ database: TemporaryDatabase) throws -> Int {
    let log = try Data(contentsOf: url("-wal", database))
    let (header, frame) = (32, 24 + 4_096)
    var end = header
    while end + frame <= log.count, log[(end + 8)..<(end + 16)].elementsEqual(log[16..<24]) { end += frame }
    return end
  }

  @Test func `a crash is not a loss, and a start after it needs no flag`() throws {
    let left = try crashed(then: 5)
    #expect(loss(left) == nil)
    #expect(loss(left) == nil)
    let journal = try left.open()
    defer { journal.close() }
    #expect(try journal.sessions.session("a")?.state.revision == 26)
  }

  @Test func `after a clean stop the log may be missing`() throws {
    try database.open().close()
    try? FileManager.default.removeItem(at: url("-wal", database))
    #expect(loss(database) == nil)
  }

  @Test func `a missing log without a clean stop is a loss`() throws {
    let left = try crashed()
    try FileManager.default.removeItem(at: url("-wal", left))
    #expect(loss(left) == .log)
    let told = Lock<[StoreEvent]>([])
    let journal = try left.open(acceptsLoss: true) { event in told.withLock { $0.append(event) } }
    journal.close()
    #expect(told.withLock { $0 } == [.lossAccepted(reason: "\(Loss.log)")])
    #expect(loss(left) == nil)
    try left.open(acceptsLoss: true) { event in told.withLock { $0.append(event) } }.close()
    #expect(told.withLock(\.count) == 1)
  }

  @Test(arguments: [0.0, 0.1, 0.5, 0.9]) func `a log that was cut before a confirmed entry is a loss`(part: Double)
    throws
  {
    let left = try crashed()
    let whole = try Data(contentsOf: url("-wal", left))
    try cutLog(to: part, left)
    let before = try left.bytes(of: ["", "-wal", ".mark"])
    guard case .entries(known: 21, found: let found)? = loss(left) else {
      Issue.record("no loss of entries was noticed")
      return
    }
    #expect(found < 21)
    #expect(try left.bytes(of: ["", "-wal", ".mark"]) == before)
    try whole.write(to: url("-wal", left))
    #expect(loss(left) == nil)
    let journal = try left.open()
    defer { journal.close() }
    #expect(try journal.sessions.session("a")?.state.revision == 21)
  }

  @Test func `a cut of the last second is no loss, and the remaining entries are complete`() throws {
    let left = try crashed(then: 1)
    let size = try usedLog(left)
    // Cuts the last frame of the last commit.
    try cutLog(to: Double(size - 4_000) / Double(size), left)
    #expect(loss(left) == nil)
    let journal = try left.open()
    defer { journal.close() }
    #expect(try journal.sessions.session("a")?.state.revision == 21)
  }

  @Test func `an older copy of the database is a loss`() throws {
    try database.open().close()
    let old = try database.crashed()
    let left = try crashed()
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(at: url(suffix, left))
      try? FileManager.default.copyItem(at: url(suffix, old), to: url(suffix, left))
    }
    try Data().write(to: url("-wal", left))
    #expect(loss(left) == .entries(known: 21, found: 0))
  }

  @Test func `another database in place of the original is a loss`() throws {
    try database.open().close()
    let other = try TemporaryDatabase()
    try other.open().close()
    try FileManager.default.removeItem(at: url("", database))
    try FileManager.default.copyItem(at: url("", other), to: url("", database))
    #expect(loss(database) == .otherDatabase)
  }

  @Test func `a missing database with an existing mark or key is not created again`() throws {
    try database.open().close()
    _ = try FileManager.default.removeItem(at: url("", database))
    #expect(loss(database) == .database)
    #expect(throws: SQLiteJournalError.lost(path: database.path, .database)) { try SQLiteJournal.prepare(database.path) }
    try FileManager.default.removeItem(at: url(".mark", database))
    _ = try KeyFile.keys(setting: nil, database: database.path)
    #expect(throws: SQLiteJournalError.lost(path: database.path, .database)) { try SQLiteJournal.prepare(database.path) }
    #expect(!FileManager.default.fileExists(atPath: database.path))
    try SQLiteJournal.prepare(database.path, acceptsLoss: true)
    #expect(loss(database) == nil)
  }

  @Test func `an interrupted first start is continued`() throws {
    try SQLiteJournal.prepare(database.path)
    _ = try KeyFile.keys(setting: nil, database: database.path)
    try SQLiteJournal.prepare(database.path)
    #expect(loss(database) == nil)
  }

  @Test func `a missing deletion is a loss`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    let before = try database.crashed()
    try bench.delete("a")
    journal.mark()
    let left = try database.crashed()
    #expect(loss(left) == nil)
    let cut = try database.crashed()
    for suffix in ["", "-wal"] {
      try FileManager.default.removeItem(at: url(suffix, cut))
      try FileManager.default.copyItem(at: url(suffix, before), to: url(suffix, cut))
    }
    #expect(loss(cut) == .entries(known: 2, found: 1))
  }

  @Test func `the newest entries may have been erased with their session`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    for page in 1...5 { try bench.post(Trial.page(page), to: "a") }
    try bench.delete("a")
    journal.sweeper.finish(until: TestTimeout.deadline)
    journal.mark()
    let left = try database.crashed()
    #expect(loss(left) == nil)
    let again = try left.open()
    defer { again.close() }
    #expect(again.database.heads.withLock { $0.nextEntry } == 8)
  }

  @Test func `if one slot of the mark is damaged, the other slot is read`() throws {
    let left = try crashed()
    var bytes = try Data(contentsOf: url(".mark", left))
    bytes.replaceSubrange(0..<30, with: Data(repeating: 0x20, count: 30))
    try bytes.write(to: url(".mark", left))
    #expect(loss(left) == nil)
    try Data("nonsense".utf8).write(to: url(".mark", left))
    #expect(loss(left) == .mark)
  }

  @Test func `the mark follows the commits within a second`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.page(1), to: "a")
    try wait(for: "the mark of entry 2") { try MarkFile.read(database.path)?.newest.entry == 2 }
    #expect(try MarkFile.read(database.path)?.isOpen == true)
  }
}

extension TemporaryDatabase {
  /// The bytes of the files with these suffixes. A missing file counts as empty.
  func bytes(of suffixes: [String]) throws -> [Data] {
    suffixes.map { FileManager.default.contents(atPath: path + $0) ?? Data() }
  }
}
