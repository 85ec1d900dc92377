extension String {
  /// Replaces a part of a definition. If the part is missing, the result is not a valid definition, and the test fails.
  func replacing(_ part: String, with other: String) -> String {
    let pieces = split(separator: part, omittingEmptySubsequences: false)
    return pieces.joined(separator: other)
  }
}
