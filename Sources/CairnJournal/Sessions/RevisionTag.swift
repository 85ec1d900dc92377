/// A revision with the first 32 bits of its entry's hash, such as `7-5f3a9c21`. After a restore from a backup, another revision 7 has a
/// different tag, so clients can detect that the revision they know is lost. Opaque to clients.
package struct RevisionTag: Hashable, Sendable, CustomStringConvertible {
  package let revision: Int
  /// The first 32 bits of the entry's hash; `nil` matches any entry of the revision.
  package let mark: UInt32?

  /// The tag of an entry with this hash.
  package init(_ revision: Int, hash: UInt64) {
    self.revision = revision
    mark = UInt32(truncatingIfNeeded: hash >> 32)
  }

  /// A tag that matches any entry of the revision.
  package init(_ revision: Int) {
    self.revision = revision
    mark = nil
  }

  /// Parses `7-5f3a9c21`, or a bare `7`, which matches any entry of the revision. `nil` for any other spelling, such as `07`.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let revision = Int(first), String(revision) == first, revision >= 0 else { return nil }
    self.revision = revision
    guard parts.count == 2 else {
      mark = nil
      return
    }
    guard parts[1].utf8.count == 8, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else {
      return nil
    }
    mark = UInt32(parts[1], radix: 16)
  }

  /// Whether the tag matches the complete tag of an entry: the revisions are equal, and this tag has no mark or the same mark.
  package func matches(_ other: RevisionTag) -> Bool { revision == other.revision && (mark == nil || mark == other.mark) }

  /// Whether two tags may belong to the same entry: their revisions are equal and, if both have a mark, so are their marks.
  package func agrees(with other: RevisionTag) -> Bool {
    revision == other.revision && (mark == nil || other.mark == nil || mark == other.mark)
  }

  package var description: String {
    var text = ""
    withQuoted { text = String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) }
    return text
  }

  /// Passes the bytes of the tag in quotes, as in an `ETag` header, to `body`. Avoids a string, because each response has a tag.
  package func withQuoted(_ body: (UnsafeRawBufferPointer) -> Void) {
    // Room for two quotes, a sign and the 19 digits of a revision, a hyphen and the 8 digits of a mark. The text is written from its end.
    withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { room in
      var place = room.count
      func put(_ byte: UInt8) {
        place -= 1
        room[place] = byte
      }
      put(UInt8(ascii: "\""))
      if let mark {
        for digit in 0..<8 {
          let value = UInt8(truncatingIfNeeded: mark >> UInt32(4 * digit)) & 0xF
          put(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
        }
        put(UInt8(ascii: "-"))
      }
      var rest = revision.magnitude
      repeat {
        put(UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      } while rest > 0
      if revision < 0 { put(UInt8(ascii: "-")) }
      put(UInt8(ascii: "\""))
      body(UnsafeRawBufferPointer(rebasing: room[place...]))
    }
  }
}
