extension String {
  /// The text with some scalars replaced. Controls, and scalars that change the direction of text or hide it, become U+FFFD unless they are
  /// replaced.
  func escaped(_ replacement: (Unicode.Scalar) -> String?) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let other = replacement(scalar) {
        text += other
      } else {
        text.unicodeScalars.append(scalar.isShown ? scalar : "\u{FFFD}")
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is shown as itself; of the format characters only the joiners, which hold letters together.
  fileprivate var isShown: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    case .format: value == 0x200C || value == 0x200D
    default: true
    }
  }
}
