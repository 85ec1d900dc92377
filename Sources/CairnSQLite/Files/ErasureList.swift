import CairnCore
import CairnRuntime
import CairnStore
import Crypto
import Foundation
import Glibc

/// The list of deleted sessions in `<database>.erasures`. It is not part of backups, so that a restore can erase these sessions again. Each line has
/// a time in milliseconds since 1970 and a hash of a session's id, which does not reveal the id. Any thread.
final class ErasureList: Sendable {
  private let database: String
  private let descriptor = Lock<Int32>(-1)

  init(_ database: String) { self.database = database }

  deinit { descriptor.withLock { if $0 >= 0 { close($0) } } }

  static func path(_ database: String) -> String { database + ".erasures" }

  /// The first half of the SHA-256 of the id, as 32 lower-case hexadecimal digits.
  static func hash(of session: String) -> String {
    String(Hexadecimal.text(of: SHA256.hash(data: Data(session.utf8))).prefix(32))
  }

  /// Adds sessions, and returns when they are on disk. The result is the previous length of the file in bytes, for `takeBack`.
  func add(_ sessions: [String]) throws(JournalError) -> Int {
    let time = WallClock.now()
    let bytes = Array(sessions.map { "\(time) \(Self.hash(of: $0))\n" }.joined().utf8)
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

  /// Truncates the file to a previous length, because the commit of the deletions failed.
  func takeBack(to length: Int) {
    descriptor.withLock { descriptor in
      guard descriptor >= 0 else { return }
      ftruncate(descriptor, length)
      fdatasync(descriptor)
    }
  }

  /// The hashes of all deleted sessions; empty if there is no list. Partly written lines are ignored.
  static func read(_ database: String) -> Set<String> {
    let text = String(decoding: FileManager.default.contents(atPath: path(database)) ?? Data(), as: UTF8.self)
    return Set(
      text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        return words.count == 2 && words[1].count == 32 ? String(words[1]) : nil
      })
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
