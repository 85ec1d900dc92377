import CairnCrypto
import CairnCore
import Foundation
import Glibc

/// The secret keys, from CAIRN_SECRET_KEY or from the file `<database>.key`, which is created at the first start. The newest key encrypts;
/// older keys only decrypt. A file contains either a single key as 32 bytes, or several keys in base64, one per line, the newest first.
package enum KeyFile {
  /// The reason why no key is available. The texts contain no key material.
  package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
    case notBase64OfKey
    case readableByOthers(path: String)
    case wrongLength(path: String)
    case unusable(path: String, reason: String)
    /// The database exists without its key. A new key would make its secrets permanently unreadable.
    case missing(path: String)

    package var description: String {
      switch self {
      case .notBase64OfKey: "CAIRN_SECRET_KEY must be base64 of 32 bytes (several keys are separated by commas, the newest first)"
      case .readableByOthers(let path): "\(path): other users can read the secret key; run chmod 600 on it"
      case .wrongLength(let path): "\(path): a secret key must be 32 bytes, or a line with base64 of them"
      case .unusable(let path, let reason): "\(path): the secret key cannot be read or created: \(reason)"
      case .missing(let path):
        "\(path): the secret key of this database is missing; put it back or set CAIRN_SECRET_KEY. "
          + "If it is lost for good, `cairn key forget` keeps the sessions and deletes their secrets"
      }
    }
  }

  /// The length of a key in bytes.
  package static let length = 32

  /// The path of a database's key file.
  package static func path(_ database: String) -> String { database + ".key" }

  /// The keys, 32 bytes each, the newest first. `setting` is the value of CAIRN_SECRET_KEY; `nil` if it is not set. Creates a key file for a new database.
  /// Throws `.missing` if the database exists without a key.
  package static func keys(setting: String?, database: String) throws(Fault) -> [[UInt8]] {
    if let keys = try known(setting: setting, database: database) { return keys }
    let path = path(database)
    guard Disk.size(of: database) ?? 0 == 0 else { throw .missing(path: path) }
    return try make(path)
  }

  /// A line that names the source of the keys that a start would use. Creates nothing.
  package static func outlook(setting: String?, database: String) throws(Fault) -> String {
    let keys = try known(setting: setting, database: database)
    guard keys != nil || Disk.size(of: database) ?? 0 == 0 else { throw .missing(path: path(database)) }
    if setting != nil { return "the secret key is taken from CAIRN_SECRET_KEY" }
    return "\(path(database)) \(keys == nil ? "would be created" : "exists")"
  }

  /// The existing keys; `nil` if no key is set and no key file exists.
  package static func known(setting: String?, database: String) throws(Fault) -> [[UInt8]]? {
    guard let setting else { return try read(path(database)) }
    guard let keys = keys(in: setting.split(separator: ",", omittingEmptySubsequences: false)) else { throw .notBase64OfKey }
    return keys
  }

  /// The configured keys, or the keys of a new key file, for a database whose key is lost.
  package static func keysAfterLoss(setting: String?, database: String) throws(Fault) -> [[UInt8]] {
    if let keys = try known(setting: setting, database: database) { return keys }
    return try make(path(database))
  }

  /// Adds a new key to the key file, atomically, and returns all keys. The service uses the new key after its next start.
  package static func rotate(_ database: String) throws(Fault) -> [[UInt8]] {
    let path = path(database)
    guard let keys = try read(path) else { throw .missing(path: path) }
    let all = [fresh()] + keys
    try replace(all, path)
    return all
  }

  /// Removes all keys except the newest one from the key file.
  package static func prune(_ database: String) throws(Fault) {
    let path = path(database)
    guard let keys = try read(path) else { throw .missing(path: path) }
    try replace(Array(keys.prefix(1)), path)
  }

  /// A name for a key that does not reveal the key: the first 8 hexadecimal digits of a hash.
  package static func id(of key: [UInt8]) -> String {
    String(Hexadecimal.text(of: SHA256.hash(Array("cairn key ".utf8) + key)).prefix(8))
  }

  private static func keys(in lines: [some StringProtocol]) -> [[UInt8]]? {
    var keys: [[UInt8]] = []
    for line in lines {
      let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
      guard let data = Data(base64Encoded: text), data.count == length else { return nil }
      keys.append(Array(data))
    }
    return keys.isEmpty ? nil : keys
  }

  private static func read(_ path: String) throws(Fault) -> [[UInt8]]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT { return nil }
      throw .unusable(path: path, reason: FileOwner.refusal(path, code: code))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unusable(path: path, reason: Disk.reason) }
    guard status.st_mode & 0o077 == 0 else { throw .readableByOthers(path: path) }
    // The maximum file size, enough for more than a thousand keys.
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= length, Int(status.st_size) == count else { throw .wrongLength(path: path) }
    if count == length { return [Array(bytes.prefix(length))] }
    let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let keys = keys(in: lines) else { throw .wrongLength(path: path) }
    return keys
  }

  private static func fresh() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }

  /// Creates the key file by linking a draft, so that the file is never partly written, and the link fails if the file exists. If two processes start at the
  /// same time, one creates the file and the other reads it. Returns the keys in the file.
  private static func make(_ path: String) throws(Fault) -> [[UInt8]] {
    try? FileManager.default.createDirectory(atPath: Disk.directory(of: path), withIntermediateDirectories: true)
    let key = fresh()
    let draft = try draft(key, path)
    defer { unlink(draft) }
    if link(draft, path) == 0 {
      Disk.syncDirectory(of: path)
      return [key]
    }
    if errno == EEXIST, let other = try read(path) { return other }
    throw .unusable(path: path, reason: Disk.reason)
  }

  private static func replace(_ keys: [[UInt8]], _ path: String) throws(Fault) {
    let text = keys.map { Data($0).base64EncodedString() + "\n" }.joined()
    let draft = try draft(Array(text.utf8), path)
    guard rename(draft, path) == 0 else {
      let reason = Disk.reason
      unlink(draft)
      throw .unusable(path: path, reason: reason)
    }
    Disk.syncDirectory(of: path)
  }

  /// Writes bytes to a temporary file of this process and syncs it. Returns the path.
  private static func draft(_ bytes: [UInt8], _ path: String) throws(Fault) -> String {
    let draft = path + ".\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unusable(path: path, reason: FileOwner.refusal(path, code: errno)) }
    defer { close(descriptor) }
    FileOwner.adopt(descriptor, in: Disk.directory(of: path))
    guard write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      let reason = Disk.reason
      unlink(draft)
      throw .unusable(path: path, reason: reason)
    }
    return draft
  }
}
