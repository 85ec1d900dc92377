import Foundation

/// Replaces a file as a whole, so that it has either the old or the new content after a crash.
enum OutboxDisk {
  /// The reason why a file could not be replaced.
  struct Fault: Error {
    let reason: String
  }

  /// Writes a file, and returns when the content is on the disk. `nil` deletes the file.
  static func replace(_ file: URL, by bytes: [UInt8]?) throws(Fault) {
    let path = file.path
    if let bytes {
      let draft = path + ".draft"
      try write(bytes, to: draft)
      guard rename(draft, path) == 0 else { throw Fault(reason: reason) }
    } else if unlink(path) != 0, errno != ENOENT {
      throw Fault(reason: reason)
    }
    try sync(file.deletingLastPathComponent().path)
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(Fault) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Fault(reason: reason) }
    defer { close(descriptor) }
    let isWritten = bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        guard count > 0 || errno == EINTR else { return false }
        rest = rest.dropFirst(max(0, count))
      }
      return true
    }
    guard isWritten, fsync(descriptor) == 0 else { throw Fault(reason: reason) }
  }

  /// Makes a change of the folder's entries durable, such as the renaming of a file.
  private static func sync(_ folder: String) throws(Fault) {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Fault(reason: reason) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Fault(reason: reason) }
  }

  private static var reason: String { String(cString: strerror(errno)) }
}
