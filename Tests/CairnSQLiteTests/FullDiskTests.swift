import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Foundation
import Glibc
import Testing

@testable import CairnSQLite

/// A file system in memory with a bounded size.
final class SmallDisk {
  let folder: URL

  /// Mounts the file system. Returns `nil` if the process may not mount one.
  init?(mebibytes: Int) {
    folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(mebibytes)m") == 0 else {
      try? FileManager.default.removeItem(at: folder)
      return nil
    }
  }

  deinit {
    while umount2(folder.path, Int32(MNT_DETACH)) == 0 {}
    try? FileManager.default.removeItem(at: folder)
  }

  var database: String { folder.appending(path: "cairn.db").path }
  private var filler: String { folder.appending(path: "filler").path }

  /// Fills the file system completely.
  func fill() {
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    defer { close(descriptor) }
    for size in [1 << 16, 1 << 12, 1] {
      let block = [UInt8](repeating: 1, count: size)
      while write(descriptor, block, size) > 0 {}
    }
  }

  /// Fills the file system until less than `bytes` bytes are free.
  func fill(leaving bytes: Int) {
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    defer { close(descriptor) }
    let block = [UInt8](repeating: 1, count: 1 << 16)
    var status = statvfs()
    while statvfs(folder.path, &status) == 0, Int(status.f_bavail) * Int(status.f_frsize) > bytes {
      guard write(descriptor, block, block.count) > 0 else { return }
    }
  }

  func empty() { unlink(filler) }

  /// Mounts the folder over itself once more, and makes the second mount read-only. The first mount cannot be made read-only while a process of another test
  /// still has copies of this process's open files.
  func makeReadOnly() -> Bool {
    mount(folder.path, folder.path, nil, UInt(MS_BIND), nil) == 0
      && mount(nil, folder.path, nil, UInt(MS_REMOUNT | MS_BIND | MS_RDONLY), nil) == 0
  }

  static let canMount = SmallDisk(mebibytes: 1) != nil
}

@Suite(.enabled(if: SmallDisk.canMount)) struct `Full file system` {
  private let key = [UInt8](repeating: 7, count: 32)
  private let events = Lock<[StoreEvent]>([])

  private func open(_ disk: SmallDisk) throws -> SQLiteJournal {
    try SQLiteJournal(path: disk.database, keys: [key]) { [events] event in events.withLock { $0.append(event) } }
  }

  private func refused(_ bench: StoreBench, _ id: String) throws -> Bool {
    if case .storage? = try bench.fault(Trial.page(1), to: id) { true } else { false }
  }

  /// Advances the clock until the service has detected that the journal is writable.
  private func waitForWrites(_ bench: StoreBench) throws {
    try wait(until: {
      bench.clock.advance(by: 1_000)
      return bench.store.figures.journalFault == nil
    })
  }

  /// Posts until the journal rejects a commit because the disk is full.
  private func postUntilFull(_ bench: StoreBench, to id: String) throws {
    for _ in 0..<100_000 where try refused(bench, id) { return }
    Issue.record("the disk never got full")
  }

  @Test func `a full disk accepts deletions by means of the reserve, and other writes resume once there is room`() throws {
    let disk = try #require(SmallDisk(mebibytes: 16))
    let journal = try open(disk)
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    for number in 0..<50 { try bench.create("s\(number)", label: "to be forgotten \(number)") }
    disk.fill()
    try postUntilFull(bench, to: "s1")
    for number in 10..<40 { try bench.delete("s\(number)") }
    #expect(events.withLock { $0.contains(.reserveGivenUp) })
    // Emptying the write-ahead log frees room too, so the test waits for this before it measures the room.
    journal.sweeper.finish(until: TestTimeout.deadline)
    #expect(!journal.figures.isErasing)
    disk.fill(leaving: 3 << 20)
    // Less room is left than the reserve needs, so only deletions are committed.
    #expect(try refused(bench, "s1"))
    #expect(FileManager.default.fileExists(atPath: disk.database + ".reserve") == false)
    for number in 40..<50 { try bench.delete("s\(number)") }
    #expect(bench.store.figures.journalFault != nil)
    #expect(try bench.session("s1").id == "s1")
    journal.sweeper.finish(until: TestTimeout.deadline)
    #expect(!journal.figures.isErasing)
    disk.empty()
    try waitForWrites(bench)
    try bench.post(Trial.page(1), to: "s1")
    #expect(FileManager.default.fileExists(atPath: disk.database + ".reserve"))
  }

  @Test func `a service on a full disk starts, and accepts reads and deletions`() throws {
    let disk = try #require(SmallDisk(mebibytes: 16))
    var bench = try StoreBench(try open(disk))
    for number in 0..<20 { try bench.create("s\(number)") }
    disk.fill()
    bench.store.stop()
    disk.fill()
    bench = try StoreBench(try open(disk))
    defer { bench.store.stop() }
    #expect(bench.store.figures.journalFault == "\(JournalError.full)")
    disk.fill(leaving: 3 << 20)
    #expect(try bench.session("s1").id == "s1")
    #expect(try refused(bench, "s1"))
    try bench.delete("s2")
    disk.empty()
    try waitForWrites(bench)
    try bench.post(Trial.page(1), to: "s1")
  }

  @Test(arguments: [true, false])
  func `a read-only disk is served for reads, after a clean stop and after a crash`(isClean: Bool) throws {
    let disk = try #require(SmallDisk(mebibytes: 16))
    let source = try TemporaryDatabase()
    let first = try StoreBench(try source.open())
    try first.create("a", accessToken: "a token")
    try first.post(Trial.page(1), to: "a")
    if isClean { first.store.stop() }
    for file in try FileManager.default.contentsOfDirectory(atPath: source.directory.path) {
      try Data(contentsOf: source.directory.appending(path: file)).write(to: disk.folder.appending(path: file))
    }
    if !isClean { first.store.stop() }
    try #require(disk.makeReadOnly())
    #expect(Disk.hindrance(at: disk.database) == "the file system is read-only")
    #expect(throws: SQLiteJournalError.self) { try open(disk) }
    let journal = try SQLiteJournal(readingOnly: disk.database, keys: [key], readers: 3)
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    #expect(try bench.session("a").pages == [0, 1])
    #expect(try refused(bench, "a"))
    #expect(throws: StoreFault.self) { try bench.delete("a") }
    #expect(try journal.sessions.secret(.token, of: "a") == "a token")
    #expect(bench.store.figures.journalFault == "\(JournalError.readOnly)")
  }

  @Test func `a backup to a full disk fails with a reason`() throws {
    let disk = try #require(SmallDisk(mebibytes: 8))
    let database = try TemporaryDatabase()
    try database.open().close()
    disk.fill()
    do {
      _ = try Backup.make(of: database.path, to: disk.folder.appending(path: "copy.db").path, replacing: false) { false }
      Issue.record("it was written")
    } catch {
      #expect("\(error)".contains("the disk is full") || "\(error)".contains("No space left"), "\(error)")
    }
  }
}
