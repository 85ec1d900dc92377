/// Converts names of a definition to unique identifiers of a language.
struct Names {
  private let reserved: Set<String>
  private var given: [String: String] = [:]
  private var taken: Set<String> = []

  init(reserved: Set<String>) { self.reserved = reserved }

  /// Returns the name of a type: `movieIsPicked` and `search.webView` become `MovieIsPicked` and `SearchWebView`.
  mutating func type(_ name: String) -> String { free(name) { Self.words($0).map(Self.raised).joined() } }

  /// Returns the name of a member: `search.webView` becomes `searchWebView`.
  mutating func member(_ name: String) -> String {
    free(name) { name in
      let words = Self.words(name)
      return (words.prefix(1) + words.dropFirst().map(Self.raised)).joined()
    }
  }

  private mutating func free(_ name: String, _ make: (String) -> String) -> String {
    if let known = given[name] { return known }
    var free = make(name)
    // An identifier cannot begin with a digit or be empty.
    if free.first.map({ $0.isNumber }) ?? true { free = "_" + free }
    while taken.contains(free) || reserved.contains(free) { free += "_" }
    taken.insert(free)
    given[name] = free
    return free
  }

  private static func words(_ name: String) -> [String] {
    name.split { !isPlain($0) }.map(String.init)
  }

  /// Whether the character is a letter that consists of a single Unicode scalar, an ASCII digit, or an underscore.
  private static func isPlain(_ character: Character) -> Bool {
    character.unicodeScalars.count == 1 && (character.isLetter || (character.isASCII && character.isNumber) || character == "_")
  }

  private static func raised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}

extension String {
  /// Returns the text as a string literal in double quotes for TypeScript, Swift or Kotlin. `unicode` returns the escape sequence of a
  /// scalar, and `dollar` is the form of a dollar sign.
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
  /// The number in hexadecimal with at least four digits.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
  }
}
