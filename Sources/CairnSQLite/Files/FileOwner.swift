import Glibc

/// Sets the owner of files beside a database, and describes missing permissions.
enum FileOwner {
  /// Changes the owner of a file that root has just created to the owner of its folder, as SQLite does, so that the service's user can open
  /// it. Does nothing if the process does not run as root, and for files that are not regular or have several hard links. `descriptor` is
  /// the open file.
  static func adopt(_ descriptor: Int32, in folder: String) {
    var (file, place) = (stat(), stat())
    guard geteuid() == 0, fstat(descriptor, &file) == 0, stat(folder, &place) == 0 else { return }
    guard file.st_mode & S_IFMT == S_IFREG, file.st_nlink <= 1, file.st_uid != place.st_uid || file.st_gid != place.st_gid else { return }
    // If this fails, the service fails to open the file later, with a message that names the owner.
    _ = fchown(descriptor, place.st_uid, place.st_gid)
  }

  /// The reason why a file or its folder cannot be used. For a missing permission this includes the owner and the remedy.
  static func refusal(_ path: String, code: Int32) -> String {
    let reason = String(cString: strerror(code))
    guard code == EACCES || code == EPERM else { return reason }
    var status = stat()
    let isThere = lstat(path, &status) == 0
    let place = isThere ? path : Disk.directory(of: path)
    guard isThere || stat(place, &status) == 0 else { return reason }
    // Some container runtimes mount a volume that belongs to root, and ignore the owner of the image's folder.
    let volume = status.st_mode & S_IFMT == S_IFDIR ? "; in Kubernetes: fsGroup: \(getegid())" : ""
    return "\(reason): \(place) belongs to user \(status.st_uid), and this process runs as user \(geteuid()); "
      + "as root: chown \(geteuid()):\(getegid()) \(place)\(volume)"
  }

  /// The first file of a database that this process may not read and write; `nil` if all files are accessible.
  static func forbidden(_ database: String) -> String? {
    ["", "-wal", "-shm"].map { database + $0 }.first { Disk.size(of: $0) != nil && access($0, R_OK | W_OK) != 0 }
  }
}
