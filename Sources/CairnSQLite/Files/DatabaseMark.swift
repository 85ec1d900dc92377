import CairnCore
import Crypto
import Foundation

/// The facts about a database that are kept outside of it, so that a loss is noticed: `<database>.mark`.
struct DatabaseMark: Hashable, Sendable {
  /// The database's own.
  var id: String
  /// The newest entry that is known to be on disk; at most a second old.
  var newest: NewestEntry
  /// Whether the log of writes must be there: no clean stop has moved it into the database.
  var isOpen: Bool

  /// A line with a checksum, which tells a line that was half written.
  func line(serial: Int) -> String {
    let text = "cairn 1 \(id) \(serial) \(newest.entry) \(String(newest.hash, radix: 16)) \(isOpen ? "open" : "closed")"
    return "\(text) \(Self.checksum(text))\n"
  }

  /// nil: not such a line, or not a whole one.
  init?(line: String, serial: inout Int) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 8, words[0] == "cairn", words[1] == "1", let number = Int(words[3]), let entry = Int(words[4]),
      let hash = UInt64(words[5], radix: 16), words[7] == Self.checksum(words.dropLast().joined(separator: " "))
    else { return nil }
    self.init(id: words[2], newest: NewestEntry(entry: entry, hash: hash), isOpen: words[6] == "open")
    serial = number
  }

  init(id: String, newest: NewestEntry, isOpen: Bool) {
    self.id = id
    self.newest = newest
    self.isOpen = isOpen
  }

  private static func checksum(_ text: String) -> String {
    String(Hexadecimal.text(of: SHA256.hash(data: Data(text.utf8))).prefix(16))
  }
}
