/// The names to which the records of a node table refer by number. Immutable.
final class Names: Sendable {
  let texts: [String]
  /// Each name as a JSON string.
  let quoted: JSONTexts
  private let numbers: [String: Int32]
  /// The names that this instance extends; `nil` if it extends none. They have the same numbers in this instance.
  private let base: Names?

  static let none = Names([])

  /// The numbers follow the order of the names. A name that occurs twice keeps its first number.
  init(_ texts: [String], extending base: Names? = nil) {
    var all: [String] = base?.texts ?? []
    var numbers = base?.numbers ?? [:]
    for text in texts where numbers[text] == nil {
      numbers[text] = Int32(all.count)
      all.append(text)
    }
    self.texts = all
    // Writing fails only for numbers, and names are strings.
    quoted = JSONTexts(all.map { name in (try? JSONWriter.bytes(expected: name.utf8.count + 2) { $0.string(name) }) ?? [] })
    self.numbers = numbers
    self.base = base
  }

  /// The number of a name; `nil` if the name is unknown.
  func number(_ text: String) -> Int32? { numbers[text] }

  /// Whether each number of `other` refers to the same name here.
  func isBuilt(on other: Names) -> Bool { self === other || base === other }
}
