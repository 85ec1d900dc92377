/// A revision together with the first 32 bits of its entry's hash: `7-5f3a9c21`. After a restore another revision 7 has another tag, so a
/// client that knows the lost one notices. Opaque to clients.
package struct RevisionTag: Hashable, Sendable, CustomStringConvertible {
  package let revision: Int
  /// nil: any entry of this revision.
  package let mark: UInt32?

  /// The tag of an entry, by its hash.
  package init(_ revision: Int, hash: UInt64) {
    self.revision = revision
    mark = UInt32(truncatingIfNeeded: hash >> 32)
  }

  /// Any entry of a revision.
  package init(_ revision: Int) {
    self.revision = revision
    mark = nil
  }

  /// Reads `7-5f3a9c21`, or a bare `7`, which means any entry of that revision. Texts are compared as written: `07` is nil.
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

  /// Whether an entry with this tag is meant.
  package func matches(_ other: RevisionTag) -> Bool { revision == other.revision && (mark == nil || mark == other.mark) }

  package var description: String {
    var text = ""
    withQuoted { text = String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) }
    return text
  }

  /// The bytes of the tag in quotes, as `ETag` has them, lent. Each response has one: written once, without parts.
  package func withQuoted(_ body: (UnsafeRawBufferPointer) -> Void) {
    // Two quotes, the sign and the 19 digits of a revision, a hyphen and the 8 digits of a mark, written from the end.
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
