extension String {
  /// A definition with one line of it changed; the test fails to build its session if the line is not there.
  func replacing(_ part: String, with other: String) -> String {
    let pieces = split(separator: part, omittingEmptySubsequences: false)
    return pieces.joined(separator: other)
  }
}
