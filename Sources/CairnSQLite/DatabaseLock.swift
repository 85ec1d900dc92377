import Glibc

/// `<database>.lock`, held as long as this lives: one Cairn a database. The kernel lets go of it when the process ends, however it ends.
final class DatabaseLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock at once or not at all.
  init(database path: String) throws(SQLiteJournalError) {
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .directory(path: path, reason: String(cString: strerror(errno))) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      if code == EWOULDBLOCK { throw .lockedByAnother(path: path) }
      throw .notOpened(path: path, reason: String(cString: strerror(code)))
    }
    self.descriptor = descriptor
  }

  /// Lets go of it; again and again if need be.
  func release() { flock(descriptor, LOCK_UN) }

  deinit { close(descriptor) }
}
