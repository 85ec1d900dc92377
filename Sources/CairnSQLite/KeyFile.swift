import CairnCore
import Crypto
import Foundation
import Glibc

/// The secret keys, from the environment or from `<database>.key`, which is made at the first start. The newest key seals; older ones still
/// open earlier seals. A file holds either 32 bytes, which are the key, or keys in base64, one per line, the newest first.
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
      case .notBase64OfKey: "CAIRN_SECRET_KEY is not the base64 of 32 bytes (of several keys: separated by commas, the newest first)"
      case .readableByOthers(let path): "\(path): the secret key can be read by others; chmod 600 it"
      case .wrongLength(let path): "\(path): a secret key has 32 bytes, or is a line of their base64"
      case .unusable(let path, let reason): "\(path): the secret key cannot be read or made: \(reason)"
      case .missing(let path):
        "\(path): the secret key of this database is missing; put it back or set CAIRN_SECRET_KEY. "
          + "If it is lost for good, `cairn key forget` keeps the sessions and gives up their secrets"
      }
    }
  }

  /// Bytes in a key.
  package static let length = 32

  /// Where a database's keys are kept.
  package static func path(_ database: String) -> String { database + ".key" }

  /// The keys, 32 bytes each, the newest first. `setting` is what CAIRN_SECRET_KEY says, if it is set. Makes a key for a new database.
  package static func keys(setting: String?, database: String) throws(Fault) -> [[UInt8]] {
    if let keys = try known(setting: setting, database: database) { return keys }
    let path = path(database)
    guard Disk.size(of: database) ?? 0 == 0 else { throw .missing(path: path) }
    return try make(path)
  }

  /// Where the keys would come from at a start, in a line; makes none.
  package static func outlook(setting: String?, database: String) throws(Fault) -> String {
    let keys = try known(setting: setting, database: database)
    guard keys != nil || Disk.size(of: database) ?? 0 == 0 else { throw .missing(path: path(database)) }
    if setting != nil { return "the secret key is the one that is set" }
    return "\(path(database)) \(keys == nil ? "would be made" : "is there")"
  }

  /// The existing keys; `nil` if there are none.
  package static func known(setting: String?, database: String) throws(Fault) -> [[UInt8]]? {
    guard let setting else { return try read(path(database)) }
    guard let keys = keys(in: setting.split(separator: ",", omittingEmptySubsequences: false)) else { throw .notBase64OfKey }
    return keys
  }

  /// The configured keys, or a new key file, for a database whose own key is lost.
  package static func keysAfterLoss(setting: String?, database: String) throws(Fault) -> [[UInt8]] {
    if let keys = try known(setting: setting, database: database) { return keys }
    return try make(path(database))
  }

  /// Puts a new key before those that a database has, which it answers: on disk, all or nothing. The next start seals with it.
  package static func rotate(_ database: String) throws(Fault) -> [[UInt8]] {
    let path = path(database)
    guard let keys = try read(path) else { throw .missing(path: path) }
    let all = [fresh()] + keys
    try replace(all, path)
    return all
  }

  /// Takes all but the newest key away.
  package static func prune(_ database: String) throws(Fault) {
    let path = path(database)
    guard let keys = try read(path) else { throw .missing(path: path) }
    try replace(Array(keys.prefix(1)), path)
  }

  /// A name for a key that says nothing of it: the first 8 hexadecimal digits of a hash.
  package static func id(of key: [UInt8]) -> String {
    String(Hexadecimal.text(of: SHA256.hash(data: Data("cairn key ".utf8 + key))).prefix(8))
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
    // More than a thousand keys: enough for any use.
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

  /// Creates a key file with a link, which is never half-written and fails if the file exists: of two processes that start at once, one
  /// makes it and the other reads it.
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

  /// A file of this process with these bytes, on disk.
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
