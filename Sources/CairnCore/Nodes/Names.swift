/// The names to which a table's records refer by small numbers. Immutable.
final class Names: Sendable {
  let texts: [String]
  /// The names as JSON strings.
  let quoted: JSONTexts
  private let numbers: [String: Int32]
  /// The names that these extend: both have the same numbers for the same names.
  private let base: Names?

  static let none = Names([])

  /// If a name is given twice, its first number is used.
  init(_ texts: [String], extending base: Names? = nil) {
    var all: [String] = base?.texts ?? []
    var numbers = base?.numbers ?? [:]
    for text in texts where numbers[text] == nil {
      numbers[text] = Int32(all.count)
      all.append(text)
    }
    self.texts = all
    // Encoding a string cannot fail, only encoding a number can.
    quoted = JSONTexts(all.map { name in (try? JSONWriter.bytes(expected: name.utf8.count + 2) { $0.string(name) }) ?? [] })
    self.numbers = numbers
    self.base = base
  }

  /// The number of a name; `nil` if it is missing.
  func number(_ text: String) -> Int32? { numbers[text] }

  /// Whether each number of `other` has the same name here.
  func isBuilt(on other: Names) -> Bool { self === other || base === other }
}
