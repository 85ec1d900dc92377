import Glibc

/// The owner of the files beside a database, and messages about a missing permission.
enum FileOwner {
  /// Gives a file that root has just made the owner of its folder, as SQLite does: the service's own user has to open it. Any other
  /// user's files stay as they are. `descriptor`: the open file; a symbolic link or a file with several names stays as it is.
  static func adopt(_ descriptor: Int32, in folder: String) {
    var (file, place) = (stat(), stat())
    guard geteuid() == 0, fstat(descriptor, &file) == 0, stat(folder, &place) == 0 else { return }
    guard file.st_mode & S_IFMT == S_IFREG, file.st_nlink <= 1, file.st_uid != place.st_uid || file.st_gid != place.st_gid else { return }
    // If this fails, opening the file fails later, with the owner in its message.
    _ = fchown(descriptor, place.st_uid, place.st_gid)
  }

  /// Why a file, or else its folder, cannot be used: the system's reason and, for a missing permission, the owner and the remedy.
  static func refusal(_ path: String, code: Int32) -> String {
    let reason = String(cString: strerror(code))
    guard code == EACCES || code == EPERM else { return reason }
    var status = stat()
    let isThere = lstat(path, &status) == 0
    let place = isThere ? path : Disk.directory(of: path)
    guard isThere || stat(place, &status) == 0 else { return reason }
    return "\(reason): \(place) belongs to user \(status.st_uid), and this process runs as user \(geteuid()); "
      + "as root: chown \(geteuid()) \(place)"
  }

  /// The first existing file of a database that this process may not read and write; `nil` if it may use all of them.
  static func forbidden(_ database: String) -> String? {
    ["", "-wal", "-shm"].map { database + $0 }.first { Disk.size(of: $0) != nil && access($0, R_OK | W_OK) != 0 }
  }
}
