import Glibc

/// File system operations that SQLite does not provide.
package enum Disk {
  /// The size of a file in bytes; `nil` if the file does not exist.
  static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Syncs the directory of a path, so that a new or renamed file survives a power failure. Returns `false` if the sync fails.
  @discardableResult static func syncDirectory(of path: String) -> Bool { sync(directory(of: path), O_RDONLY | O_DIRECTORY) }

  /// Syncs the contents of a file to disk. Must not be used for a database file that is open in this process, because closing the file
  /// would release SQLite's locks. Returns `false` if the sync fails.
  @discardableResult static func sync(_ path: String) -> Bool { sync(path, O_RDONLY) }

  /// The directory that contains the path.
  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The reason why no process can write beside a path: the file system is read-only or full. `nil` if a test write succeeds or fails for another
  /// reason.
  package static func hindrance(at path: String) -> String? {
    let draft = "\(path).room.\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return hindrance(of: errno) }
    defer {
      close(descriptor)
      unlink(draft)
    }
    let block = [UInt8](repeating: 1, count: 4_096)
    for _ in 1...16 where write(descriptor, block, block.count) != block.count {
      return hindrance(of: errno) ?? "the disk is full"
    }
    return nil
  }

  private static func hindrance(of code: Int32) -> String? {
    switch code {
    case EROFS: "the file system is read-only"
    case ENOSPC, EDQUOT: "the disk is full"
    default: nil
    }
  }

  /// The description of the last error of a system call (`errno`).
  static var reason: String { String(cString: strerror(errno)) }

  private static func sync(_ path: String, _ flags: Int32) -> Bool {
    let descriptor = open(path, flags | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}
