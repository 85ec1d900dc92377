/// Bounds the nesting of a text before it is parsed. The parser is recursive: on a thread with a small stack, a text full of brackets or dashes would crash the
/// process. Brackets that are certainly inside quotes are ignored.
enum Nesting {
  /// The maximum number of open brackets. It exceeds what definitions need, and the parser stays within a stack of half a megabyte.
  static let bracketLimit = 256
  static let indentLimit = 128

  /// The first line on which the text may be nested too deeply; `nil` if no line exceeds the limits.
  static func lineTooDeep(in text: String) -> Int? {
    let bytes = Array(text.utf8)
    let json = JSONNesting(bytes)
    if json.isRead { return json.lineTooDeep }
    return lineTooDeep(inYAML: bytes)
  }

  private static func lineTooDeep(inYAML bytes: [UInt8]) -> Int? {
    var brackets = 0
    var indents: [Int] = []
    var line = 1
    var column = 0
    var isIndent = true
    var next = 0
    while next < bytes.count {
      let byte = bytes[next]
      next += 1
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        column = 0
        isIndent = true
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): brackets += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): brackets = max(0, brackets - 1)
      default: break
      }
      // Outside of brackets, a comment extends to the end of its line, so its brackets do not count. A quoted value that ends with its line
      // is skipped too: inside a longer quoted text, such a line would be invalid YAML.
      if brackets == 0, isIndent && byte == UInt8(ascii: "#") || byte == UInt8(ascii: ":") {
        let rest = bytes[next...].prefix { $0 != UInt8(ascii: "\n") }
        if byte == UInt8(ascii: "#") || isQuoted(rest) { next = rest.endIndex }
      }
      // Each column at which a token begins in a line's indentation may be a level. The tokens `- ` and `? ` can begin another level.
      if isIndent, byte != UInt8(ascii: " ") {
        while let last = indents.last, last > column { indents.removeLast() }
        if indents.last != column { indents.append(column) }
        isIndent = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "?")
      }
      column += 1
      if brackets > bracketLimit || indents.count > indentLimit { return line }
    }
    return nil
  }

  /// Whether the rest of a line after a colon is one quoted text, preceded by a space and followed only by spaces.
  private static func isQuoted(_ rest: ArraySlice<UInt8>) -> Bool {
    let value = rest.drop { $0 == UInt8(ascii: " ") }
    guard value.startIndex > rest.startIndex, let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return false
    }
    var index = value.startIndex + 1
    while index < value.endIndex, value[index] != quote {
      index += quote == UInt8(ascii: "\"") && value[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return index < value.endIndex && value[(index + 1)...].allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
  }
}
