import Glibc

/// An exclusive lock on `<database>.lock`, held for the lifetime of this object. It ensures that only one process opens the database for writing. The kernel
/// releases the lock when the process ends in any way.
final class DatabaseLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock without waiting. Throws `lockedByAnother` if another process holds it.
  init(database path: String) throws(SQLiteJournalError) {
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .file(path: path + ".lock", reason: FileOwner.refusal(path + ".lock", code: errno)) }
    FileOwner.adopt(descriptor, in: Disk.directory(of: path))
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      if code == EWOULDBLOCK { throw .lockedByAnother(path: path) }
      throw .notOpened(path: path, reason: String(cString: strerror(code)))
    }
    self.descriptor = descriptor
  }

  /// Whether a process holds the lock. The function itself never takes the lock, so that it cannot prevent a service from starting at the
  /// same time.
  static func isHeld(of path: String) -> Bool {
    var status = stat()
    guard stat(path + ".lock", &status) == 0, let locks = fopen("/proc/locks", "re") else { return false }
    defer { fclose(locks) }
    // A line of `/proc/locks` looks like `12: FLOCK  ADVISORY  WRITE 4711 fe:00:1835012 0 EOF` (proc_locks(5)). The device numbers are
    // hexadecimal; makedev(3) describes how they are encoded in `st_dev`. A layered file system may report another device in `st_dev`. A
    // held lock is then not found here, but only when a process tries to take it.
    let device = UInt64(status.st_dev)
    let numbers = [(device >> 8) & 0xFFF | (device >> 32) & ~0xFFF, device & 0xFF | (device >> 12) & ~0xFF & 0xFFFF_FFFF]
    let place = numbers.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined(separator: ":") + ":\(status.st_ino)"
    // Reads line by line, because the kernel returns a long file in parts.
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    while getline(&line, &size, locks) > 0 {
      let fields = line.map { String(cString: $0).split { $0 == " " || $0 == "\n" } } ?? []
      if fields.contains("FLOCK"), fields.contains(where: { $0 == place }) { return true }
    }
    return false
  }

  /// Releases the lock. May be called repeatedly.
  func release() { flock(descriptor, LOCK_UN) }

  deinit {
    // A child process has a copy of the descriptor between fork and exec. That copy would keep the lock if this process only closed its own.
    release()
    close(descriptor)
  }
}
