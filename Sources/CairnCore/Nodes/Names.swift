/// The names that a table of nodes refers to by small numbers, in the order of these numbers. Immutable.
final class Names: Sendable {
  let texts: [String]
  /// Each as a JSON string.
  let quoted: JSONTexts
  private let numbers: [String: Int32]
  /// The names that it was extended from: equal names have equal numbers there.
  private let base: Names?

  static let none = Names([])

  /// If a name is given twice, the first number counts.
  init(_ texts: [String], extending base: Names? = nil) {
    var all: [String] = base?.texts ?? []
    var numbers = base?.numbers ?? [:]
    for text in texts where numbers[text] == nil {
      numbers[text] = Int32(all.count)
      all.append(text)
    }
    self.texts = all
    // Only a number can fail to be written.
    quoted = JSONTexts(all.map { name in (try? JSONWriter.bytes(expected: name.utf8.count + 2) { $0.string(name) }) ?? [] })
    self.numbers = numbers
    self.base = base
  }

  /// The number of a name; nil: it is none of these.
  func number(_ text: String) -> Int32? { numbers[text] }

  /// Whether each number of `other` means the same here.
  func isBuilt(on other: Names) -> Bool { self === other || base === other }
}
