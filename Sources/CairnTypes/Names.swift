/// Names of a definition as identifiers of a language, each of them unique.
struct Names {
  private let reserved: Set<String>
  private var given: [String: String] = [:]
  private var taken: Set<String> = []

  init(reserved: Set<String>) { self.reserved = reserved }

  /// A type's: `movieIsPicked` and `search.webView` become `MovieIsPicked` and `SearchWebView`.
  mutating func type(_ name: String) -> String { free(name) { Self.words($0).map(Self.raised).joined() } }

  /// A member's: `search.webView` becomes `searchWebView`.
  mutating func member(_ name: String) -> String {
    free(name) { name in
      let words = Self.words(name)
      return (words.prefix(1) + words.dropFirst().map(Self.raised)).joined()
    }
  }

  private mutating func free(_ name: String, _ make: (String) -> String) -> String {
    if let known = given[name] { return known }
    var free = make(name)
    // An identifier cannot begin with a digit, and needs at least one letter.
    if free.first.map({ $0.isNumber }) ?? true { free = "_" + free }
    while taken.contains(free) || reserved.contains(free) { free += "_" }
    taken.insert(free)
    given[name] = free
    return free
  }

  private static func words(_ name: String) -> [String] {
    name.split { !isPlain($0) }.map(String.init)
  }

  /// A letter or a digit of whatever script that stands by itself.
  private static func isPlain(_ character: Character) -> Bool {
    character.unicodeScalars.count == 1 && (character.isLetter || (character.isASCII && character.isNumber) || character == "_")
  }

  private static func raised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}

extension String {
  /// Between double quotes, as JavaScript, Swift and Kotlin read it; `dollar`: as a dollar sign is written.
  func quoted(escaping unicode: (UInt32) -> String, dollar: String = "$") -> String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "$": text += dollar
      default:
        text +=
          scalar.value < 0x20 || scalar.value == 0x7F || (0x2028...0x2029).contains(scalar.value) ? unicode(scalar.value) : String(scalar)
      }
    }
    return text + "\""
  }
}

extension UInt32 {
  /// Four digits.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
  }
}
