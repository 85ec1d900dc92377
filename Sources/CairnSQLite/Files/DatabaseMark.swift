import CairnCrypto
import CairnCore
import Foundation

/// Facts about a database that are stored outside it, in `<database>.mark`, so that lost data can be detected.
struct DatabaseMark: Hashable, Sendable {
  /// The id of the database.
  var id: String
  /// The newest entry that is known to be on disk. While the service runs, it is updated once per second.
  var newest: NewestEntry
  /// Whether the write-ahead log must exist, because no clean stop has moved it into the database.
  var isOpen: Bool

  /// Returns the mark as a line of the file, with a checksum that detects partly written lines. Of the two lines in the file, the one with the higher
  /// `serial` is newer.
  func line(serial: Int) -> String {
    let text = "cairn 1 \(id) \(serial) \(newest.entry) \(String(newest.hash, radix: 16)) \(isOpen ? "open" : "closed")"
    return "\(text) \(Self.checksum(text))\n"
  }

  /// Reads a line of the file, and sets `serial` to its number. Returns `nil` if the line is not a mark or its checksum does not match.
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
    String(Hexadecimal.text(of: SHA256.hash(text)).prefix(16))
  }
}
