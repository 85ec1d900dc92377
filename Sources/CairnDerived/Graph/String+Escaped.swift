extension String {
  /// Returns the text with each scalar replaced by the text that `replacement` returns for it. A scalar for which `replacement` returns
  /// `nil` is kept, but U+FFFD replaces control characters and scalars that hide text or change its direction.
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
  /// Whether the scalar may be displayed. Of the format characters only the joiners are allowed, because they affect how letters connect.
  fileprivate var isShown: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    case .format: value == 0x200C || value == 0x200D
    default: true
    }
  }
}
