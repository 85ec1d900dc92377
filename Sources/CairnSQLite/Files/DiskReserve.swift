import CairnRuntime
import Glibc

/// Disk space reserved in `<database>.reserve`. When the disk is full, the reserve is released so that deletions can be committed. Until
/// the reserve can be allocated again, only deletions are committed, so that nothing else uses the space that they free. Thread-safe.
final class DiskReserve: Sendable {
  private let database: String
  private let given: Lock<Bool>

  /// The size in bytes, enough for some thousand deletions, for erasing their rows, and for the write-ahead log.
  static let size = 4 << 20
  /// The minimum free space in bytes besides the reserve. With less free space, the reserve is not allocated, and a reserve that exists at
  /// startup is released.
  private static let leastRoom: UInt64 = 1 << 20

  /// Allocates the reserve, or releases it if the disk is full. The caller must hold the database's lock.
  init(_ database: String) {
    self.database = database
    given = Lock(false)
    if Self.room(database) < Self.leastRoom { giveUp() } else { _ = make() }
  }

  /// The free bytes of the database's file system; the maximum value if the system does not report them.
  private static func room(_ database: String) -> UInt64 {
    var status = statvfs()
    guard statvfs(Disk.directory(of: database), &status) == 0 else { return .max }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize)
  }

  /// Whether the reserve is released, so that only deletions are possible.
  var isGivenUp: Bool { given.withLock { $0 } }

  /// Releases the reserved space for deletions.
  func giveUp() {
    given.withLock { given in
      unlink(path)
      given = true
    }
  }

  /// Allocates the reserve. Returns `false` if the space is not sufficient for the reserve and for other writes. Returns `true` if the file
  /// system does not support allocation, because writes can then continue without a reserve.
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
