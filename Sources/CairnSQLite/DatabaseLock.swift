import Glibc

/// `<database>.lock`, held for the lifetime of this object: one process per database. The kernel releases it when the process ends, in
/// whatever way.
final class DatabaseLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock at once or not at all.
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

  /// Whether a process holds the lock, without taking it even for a moment: a service that starts at that time must not find it taken.
  static func isHeld(of path: String) -> Bool {
    var status = stat()
    guard stat(path + ".lock", &status) == 0, let locks = fopen("/proc/locks", "re") else { return false }
    defer { fclose(locks) }
    // `12: FLOCK  ADVISORY  WRITE 4711 fe:00:1835012 0 EOF` (proc_locks(5)); the device's numbers are hexadecimal, cut out of it as makedev(3) put
    // them in. Where a layered file system tells another device here, the start itself finds the lock.
    let device = UInt64(status.st_dev)
    let numbers = [(device >> 8) & 0xFFF | (device >> 32) & ~0xFFF, device & 0xFF | (device >> 12) & ~0xFF & 0xFFFF_FFFF]
    let place = numbers.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined(separator: ":") + ":\(status.st_ino)"
    // By lines, since the kernel gives a long file in parts.
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    while getline(&line, &size, locks) > 0 {
      let fields = line.map { String(cString: $0).split { $0 == " " || $0 == "\n" } } ?? []
      if fields.contains("FLOCK"), fields.contains(where: { $0 == place }) { return true }
    }
    return false
  }

  /// Lets go of it; again and again if need be.
  func release() { flock(descriptor, LOCK_UN) }

  deinit {
    // Released first: only closing would leave the lock to a copy of the descriptor, which a child has from its fork until its exec.
    release()
    close(descriptor)
  }
}
