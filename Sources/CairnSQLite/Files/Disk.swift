import Glibc

/// Calls to the file system that SQLite does not make.
package enum Disk {
  /// Bytes of a file; nil: it is not there.
  static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Makes sure that a name in a directory lasts; false: the disk did not say so.
  @discardableResult static func syncDirectory(of path: String) -> Bool { sync(directory(of: path), O_RDONLY | O_DIRECTORY) }

  /// Makes sure that what is in a file lasts. Not for a database's own file while it is open in this process: closing it drops its locks.
  @discardableResult static func sync(_ path: String) -> Bool { sync(path, O_RDONLY) }

  /// The directory that a path names something in.
  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Why no process can write beside a path: the file system is read-only or full. Returns `nil` if a write succeeds, or fails for another reason.
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
      return hindrance(of: errno) ?? "no room is left on the disk"
    }
    return nil
  }

  private static func hindrance(of code: Int32) -> String? {
    switch code {
    case EROFS: "the file system is read-only"
    case ENOSPC, EDQUOT: "no room is left on the disk"
    default: nil
    }
  }

  /// Why the last call failed, in the system's words.
  static var reason: String { String(cString: strerror(errno)) }

  private static func sync(_ path: String, _ flags: Int32) -> Bool {
    let descriptor = open(path, flags | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}
