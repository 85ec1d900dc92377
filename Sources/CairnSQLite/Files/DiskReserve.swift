import CairnRuntime
import Glibc

/// `<database>.reserve`: room on the disk that is given up for deletions when no other is left. Until it can be made again only deletions
/// are committed, so that they free the disk and nothing else fills it. Any thread.
final class DiskReserve: Sendable {
  private let database: String
  private let given: Lock<Bool>

  /// Bytes: enough for some thousand deletions, for erasing their rows, and for the log of writes.
  static let size = 4 << 20
  /// With less room than this, beside the reserve, there is none for writes: a start gives the reserve up at once, and it is not made.
  private static let leastRoom: UInt64 = 1 << 20

  /// Makes the reserve, or gives it up if the disk is full. Under the database's lock.
  init(_ database: String) {
    self.database = database
    given = Lock(false)
    if Self.room(database) < Self.leastRoom { giveUp() } else { _ = make() }
  }

  /// Bytes of the file system of a database that are free; where the system does not say, as many as there may be.
  private static func room(_ database: String) -> UInt64 {
    var status = statvfs()
    guard statvfs(Disk.directory(of: database), &status) == 0 else { return .max }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize)
  }

  /// Whether there is no room but for deletions.
  var isGivenUp: Bool { given.withLock { $0 } }

  /// Gives the room to deletions.
  func giveUp() {
    given.withLock { given in
      unlink(path)
      given = true
    }
  }

  /// Makes the reserve again; false: there is no room for it and for writes beside it yet. A file system that cannot set room aside has no reserve, and needs none
  /// to go on.
  func make() -> Bool {
    given.withLock { given in
      guard Disk.size(of: path) ?? 0 >= Self.size || Self.room(database) >= UInt64(Self.size) + Self.leastRoom else {
        given = true
        return false
      }
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else {
        given = errno == ENOSPC || errno == EDQUOT
        return !given
      }
      defer { close(descriptor) }
      FileOwner.adopt(descriptor, in: Disk.directory(of: path))
      let code = posix_fallocate(descriptor, 0, off_t(Self.size))
      let isFull = code == ENOSPC || code == EDQUOT
      if isFull { unlink(path) }
      given = isFull
      return !isFull
    }
  }

  private var path: String { database + ".reserve" }
}
