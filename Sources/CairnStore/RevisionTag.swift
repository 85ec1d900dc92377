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
    guard let mark else { return String(revision) }
    let digits = String(mark, radix: 16)
    return "\(revision)-" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }
}
