/// The names that a table of nodes refers to by small numbers, in the order of these numbers. Immutable.
final class Names: Sendable {
  let texts: [String]
  /// All as JSON strings, one behind the other, and the end of each; before them 0.
  private let quoted: [UInt8]
  private let ends: [Int]
  private let numbers: [String: Int32]
  /// What it was extended from: the same names have the same numbers there.
  private let base: Names?

  static let none = Names([])

  /// Of a name that is given twice the first counts.
  init(_ texts: [String], extending base: Names? = nil) {
    var all: [String] = base?.texts ?? []
    var numbers = base?.numbers ?? [:]
    for text in texts where numbers[text] == nil {
      numbers[text] = Int32(all.count)
      all.append(text)
    }
    self.texts = all
    var quoted: [UInt8] = []
    var ends: [Int] = [0]
    for name in all {
      // Only a number can fail to be written.
      quoted += (try? JSONWriter.bytes(expected: name.utf8.count + 2) { $0.string(name) }) ?? []
      ends.append(quoted.count)
    }
    (self.quoted, self.ends) = (quoted, ends)
    self.numbers = numbers
    self.base = base
  }

  /// The number of a name; nil: it is none of these.
  func number(_ text: String) -> Int32? { numbers[text] }

  /// Writes a name as a string, whose comma is the caller's.
  @inline(__always)
  func write(_ number: Int32, to writer: inout JSONWriter) {
    let (start, end) = (ends[Int(number)], ends[Int(number) + 1])
    quoted.withUnsafeBufferPointer { quoted in
      guard let first = quoted.baseAddress else { return }
      writer.piece(UnsafeBufferPointer(start: first + start, count: end - start))
    }
  }

  /// Whether each number of `other` means the same here.
  func isBuilt(on other: Names) -> Bool { self === other || base === other }
}
