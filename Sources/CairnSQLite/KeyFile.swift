import Foundation
import Glibc

/// Where the secret key comes from: the environment, or `<database>.key`, which is made at the first start.
package enum KeyFile {
  /// Why there is no key. The texts never hold any of it.
  package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
    case notBase64OfKey
    case readableByOthers(path: String)
    case wrongLength(path: String)
    case unusable(path: String, reason: String)
    /// A database without its key: a new one would make its secrets unreadable for good.
    case missing(path: String)

    package var description: String {
      switch self {
      case .notBase64OfKey: "CAIRN_SECRET_KEY is not the base64 of 32 bytes"
      case .readableByOthers(let path): "\(path): the secret key can be read by others; chmod 600 it"
      case .wrongLength(let path): "\(path): a secret key has 32 bytes"
      case .unusable(let path, let reason): "\(path): the secret key cannot be read or made: \(reason)"
      case .missing(let path): "\(path): the secret key of this database is missing; put it back or set CAIRN_SECRET_KEY"
      }
    }
  }

  /// Bytes in a key.
  package static let length = 32

  /// The key, 32 bytes. `setting` is what CAIRN_SECRET_KEY says, if it is set.
  package static func key(setting: String?, database: String) throws(Fault) -> [UInt8] {
    if let setting {
      let text = setting.trimmingCharacters(in: .whitespacesAndNewlines)
      guard let data = Data(base64Encoded: text), data.count == length else { throw .notBase64OfKey }
      return Array(data)
    }
    let path = database + ".key"
    if let key = try read(path) { return key }
    guard !hasContent(database) else { throw .missing(path: path) }
    return try make(path)
  }

  private static func read(_ path: String) throws(Fault) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .unusable(path: path, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unusable(path: path, reason: String(cString: strerror(errno))) }
    guard status.st_mode & 0o077 == 0 else { throw .readableByOthers(path: path) }
    var key = [UInt8](repeating: 0, count: length + 1)
    let count = Glibc.read(descriptor, &key, key.count)
    guard count == length, status.st_size == length else { throw .wrongLength(path: path) }
    return Array(key.prefix(length))
  }

  /// O_EXCL: of two that start at once, one makes it and the other reads that one.
  private static func make(_ path: String) throws(Fault) -> [UInt8] {
    try? FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
    let draft = path + ".\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unusable(path: path, reason: String(cString: strerror(errno))) }
    defer {
      close(descriptor)
      unlink(draft)
    }
    var random = SystemRandomNumberGenerator()
    let key = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    guard write(descriptor, key, length) == length, fsync(descriptor) == 0 else {
      throw .unusable(path: path, reason: String(cString: strerror(errno)))
    }
    // A link is never there half-written, and is refused if somebody was first.
    if link(draft, path) == 0 { return key }
    if errno == EEXIST, let other = try read(path) { return other }
    throw .unusable(path: path, reason: String(cString: strerror(errno)))
  }

  private static func hasContent(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size > 0
  }
}
