import CairnCore
import CairnJournal

/// The binary form of the entries that one commit adds to one session. Numbers have eight bytes, the most significant first. Each text and blob is preceded
/// by its length. The byte before each entry records which optional members are present; a missing member has no bytes.
enum PageFormat {
  /// The first byte of a page.
  static let version: UInt8 = 1

  /// The optional members of an entry that are present.
  private struct Presence: OptionSet {
    let rawValue: UInt8
    static let due = Presence(rawValue: 1)
    static let definition = Presence(rawValue: 2)
    static let label = Presence(rawValue: 4)
    static let request = Presence(rawValue: 8)
  }

  static func bytes(_ entries: [JournalEntry]) -> [UInt8] {
    var bytes: [UInt8] = [version]
    bytes.reserveCapacity(entries.reduce(16) { $0 + 128 + $1.cause.count + $1.difference.count })
    for entry in entries {
      var presence: Presence = []
      if entry.due != nil { presence.insert(.due) }
      if entry.definition != nil { presence.insert(.definition) }
      if entry.label != nil { presence.insert(.label) }
      if entry.entry.request != nil { presence.insert(.request) }
      bytes.append(presence.rawValue)
      bytes.append(number: UInt64(clamping: entry.entry.revision))
      bytes.append(number: entry.hash)
      bytes.append(number: UInt64(bitPattern: Int64(entry.entry.stamp.time)))
      bytes.append(number: UInt64(clamping: entry.engine))
      bytes.append(number: UInt64(clamping: entry.format))
      if let due = entry.due { bytes.append(number: UInt64(bitPattern: Int64(due))) }
      if let definition = entry.definition { bytes.append(field: definition.utf8) }
      if let label = entry.label { bytes.append(field: label.utf8) }
      if let request = entry.entry.request { bytes.append(field: request.utf8) }
      bytes.append(field: entry.entry.stamp.nonce.utf8)
      bytes.append(field: entry.cause)
      bytes.append(field: entry.difference)
    }
    return bytes
  }

  /// Returns the entries of a page, oldest first. Throws if the page has an unknown version or is truncated, or if a cause cannot be read.
  static func entries(_ bytes: [UInt8]) throws(UnreadableFormat) -> [JournalEntry] {
    var reader = Reader(bytes: bytes[...])
    guard try reader.byte() == version else { throw UnreadableFormat(reason: "the page has an unknown version") }
    var entries: [JournalEntry] = []
    while !reader.bytes.isEmpty {
      let presence = Presence(rawValue: try reader.byte())
      let revision = Int(clamping: try reader.number())
      let hash = try reader.number()
      let time = try reader.signed()
      let engine = Int(clamping: try reader.number())
      let format = Int(clamping: try reader.number())
      let due = presence.contains(.due) ? try reader.signed() : nil
      let definition = presence.contains(.definition) ? try reader.text() : nil
      let label = presence.contains(.label) ? try reader.text() : nil
      let request = presence.contains(.request) ? try reader.text() : nil
      let nonce = try reader.text()
      let stored = try reader.field()
      let difference = try reader.field()
      let cause = try CauseFormat.read(stored, version: format)
      entries.append(
        JournalEntry(
          try cause.entry(revision: revision, time: time, nonce: nonce, request: request),
          engine: engine, format: format, cause: stored, difference: difference, due: due, definition: definition, label: label,
          hash: hash))
    }
    return entries
  }

  private struct Reader {
    var bytes: ArraySlice<UInt8>

    private static let tooShort = UnreadableFormat(reason: "the page is truncated")

    mutating func byte() throws(UnreadableFormat) -> UInt8 {
      guard let byte = bytes.popFirst() else { throw Self.tooShort }
      return byte
    }

    mutating func number() throws(UnreadableFormat) -> UInt64 {
      guard bytes.count >= 8 else { throw Self.tooShort }
      let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      bytes = bytes.dropFirst(8)
      return number
    }

    mutating func signed() throws(UnreadableFormat) -> Int { Int(Int64(bitPattern: try number())) }

    mutating func field() throws(UnreadableFormat) -> [UInt8] {
      let count = try number()
      guard count <= UInt64(bytes.count) else { throw Self.tooShort }
      defer { bytes = bytes.dropFirst(Int(count)) }
      return Array(bytes.prefix(Int(count)))
    }

    mutating func text() throws(UnreadableFormat) -> String { String(decoding: try field(), as: UTF8.self) }
  }
}

extension [UInt8] {
  fileprivate mutating func append(number: UInt64) { Swift.withUnsafeBytes(of: number.bigEndian) { self += $0 } }

  fileprivate mutating func append(field: some Collection<UInt8>) {
    append(number: UInt64(field.count))
    self += field
  }
}
