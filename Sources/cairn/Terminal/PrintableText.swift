/// Makes untrusted text safe to print on a terminal.
enum PrintableText {
  /// Returns the text with control characters, and characters that hide or reorder text, written as `\u{…}`.
  static func of(_ text: String) -> String {
    text.unicodeScalars.allSatisfy(isPlain) ? text : escaped(text) { isPlain($0) }
  }

  /// Returns the text with all characters outside ASCII written as `\u{…}`.
  static func ascii(_ text: String) -> String { text.utf8.allSatisfy { $0 < 0x80 } ? text : escaped(text) { $0.isASCII } }

  private static func escaped(_ text: String, sparing isSpared: (Unicode.Scalar) -> Bool) -> String {
    text.unicodeScalars.reduce(into: "") { shown, scalar in
      if isSpared(scalar) { shown.unicodeScalars.append(scalar) } else { shown += "\\u{\(String(scalar.value, radix: 16))}" }
    }
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    // The joiners are the only printed format characters, because they connect letters. The other format characters reorder or hide text.
    case .format: scalar.value == 0x200D || scalar.value == 0x200C
    default: true
    }
  }

  /// The number of columns that a terminal needs for the text.
  static func width(_ text: String) -> Int { text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + width($1) } }

  /// The longest prefix of the text that fits into a number of columns.
  static func prefix(_ text: String, columns: Int) -> String {
    var room = columns
    return String(
      text.prefix { letter in
        room -= width(letter)
        return room >= 0
      })
  }

  /// Returns the number of columns of a letter. East Asian letters and emoji take two columns (Unicode, UAX 11).
  private static func width(_ letter: Character) -> Int {
    guard let scalar = letter.unicodeScalars.first else { return 0 }
    if letter.unicodeScalars.contains(where: { $0.properties.isEmojiPresentation || $0.value == 0xFE0F }) { return 2 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory) ? 0 : 1
    }
  }
}
