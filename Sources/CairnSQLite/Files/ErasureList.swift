import CairnCrypto
import CairnCore
import CairnRuntime
import CairnJournal
import Foundation
import Glibc

/// The list of deleted sessions and of forgotten history, in `<database>.erasures`. Backups do not contain this list, so a restore can use
/// it to erase the same data again.
///
/// Each line has a time in milliseconds since 1970, the first revision that is kept of a session's history, and a hash of the session's id,
/// which does not reveal the id. A line without a revision is a deletion. Thread-safe.
final class ErasureList: Sendable {
  private let database: String
  private let descriptor = Lock<Int32>(-1)

  init(_ database: String) { self.database = database }

  deinit { descriptor.withLock { if $0 >= 0 { close($0) } } }

  static func path(_ database: String) -> String { database + ".erasures" }

  /// The first half of the SHA-256 of the id, as 32 lower-case hexadecimal digits.
  static func hash(of session: String) -> String {
    String(Hexadecimal.text(of: SHA256.hash(session)).prefix(32))
  }

  /// Adds deleted sessions, and the first revisions of sessions whose history was forgotten, and returns when the lines are on disk. The
  /// result is the previous length of the file in bytes, for `takeBack`.
  func add(_ sessions: [String], firstRevisions: [String: Int] = [:]) throws(JournalError) -> Int {
    let time = WallClock.now()
    let lines = sessions.map { "\(time) \(Self.hash(of: $0))\n" } + firstRevisions.map { "\(time) \($1) \(Self.hash(of: $0))\n" }
    let bytes = Array(lines.joined().utf8)
    return try descriptor.withLock { descriptor throws(JournalError) in
      if descriptor < 0 { descriptor = try open() }
      let length = Int(lseek(descriptor, 0, SEEK_END))
      guard write(descriptor, bytes, bytes.count) == bytes.count, fdatasync(descriptor) == 0 else {
        let code = errno
        ftruncate(descriptor, length)
        throw code == ENOSPC || code == EDQUOT ? .full : .io("\(Self.path(database)): \(String(cString: strerror(code)))")
      }
      return length
    }
  }

  /// Removes the lines of a failed commit: truncates the file to its length before `add`.
  func takeBack(to length: Int) {
    descriptor.withLock { descriptor in
      guard descriptor >= 0 else { return }
      ftruncate(descriptor, length)
      fdatasync(descriptor)
    }
  }

  /// The hashes of all deleted sessions, and the first revision of each session whose history was forgotten, by the session's hash. Empty
  /// if there is no list. Partly written lines are ignored.
  static func read(_ database: String) -> (deleted: Set<String>, forgotten: [String: Int]) {
    let text = String(decoding: FileManager.default.contents(atPath: path(database)) ?? Data(), as: UTF8.self)
    var (deleted, forgotten): (Set<String>, [String: Int]) = ([], [:])
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let hash = words.last.map(String.init), hash.count == 32 else { continue }
      if words.count == 2 { deleted.insert(hash) }
      if words.count == 3, let revision = Int(words[1]) { forgotten[hash] = max(revision, forgotten[hash] ?? 0) }
    }
    return (deleted, forgotten)
  }

  private func open() throws(JournalError) -> Int32 {
    let path = Self.path(database)
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      throw code == ENOSPC || code == EDQUOT ? .full : .io("\(path): \(FileOwner.refusal(path, code: code))")
    }
    FileOwner.adopt(descriptor, in: Disk.directory(of: path))
    Disk.syncDirectory(of: path)
    return descriptor
  }
}
