/// Bounds how deep a text can be nested without parsing it: the parser recurses, and on a thread with a small stack a text of
/// brackets or dashes would be the end of the process.
enum Nesting {
  /// More than any definition needs, few enough for half a megabyte of stack.
  static let bracketLimit = 256
  static let indentLimit = 128

  /// The line on which a text may be nested deeper than is safe; nil: it is not.
  static func lineTooDeep(in text: String) -> Int? {
    var brackets = 0
    var indents: [Int] = []
    var line = 1
    var bytes = text.utf8.makeIterator()
    var column = 0
    var isIndent = true
    while let byte = bytes.next() {
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
      // Every column at which something begins in a line's indentation may be a level; `- ` and `? ` begin one more.
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
}
