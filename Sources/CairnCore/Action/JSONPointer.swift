extension String {
  /// A member name inside a JSON Pointer (RFC 6901, 3).
  var pointerEscaped: String {
    split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0").split(separator: "/", omittingEmptySubsequences: false)
      .joined(separator: "~1")
  }
}
