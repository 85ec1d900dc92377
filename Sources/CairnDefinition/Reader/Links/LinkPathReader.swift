import CairnCore

/// Reads the paths of links.
struct LinkPathReader: PartReader {
  let context: ReaderContext

  /// Reads the segments of a path. Returns `nil` if a segment is invalid.
  func path(_ element: Element) -> [LinkDefinition.Segment]? {
    guard let text = text(element, "`path`") else { return nil }
    guard text.hasPrefix("/") else {
      report("`path` must begin with `/`, like `/items/{id}`, not `\(text)`", at: element.position)
      return nil
    }
    if text == "/" { return [] }
    var segments: [LinkDefinition.Segment] = []
    defer { checkOrder(of: segments, at: element.position) }
    for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init) {
      if let capture = Self.capture(part), let name = capture.name {
        if segments.contains(where: { $0.name == name }) {
          report("`\(name)` is captured twice; rename one of the two captures", at: element.position)
        }
        segments.append(capture)
      } else if !context.isStored, part == "*" || part == "**" {
        report(
          "`\(part)` is not a pattern; `{name}` captures a segment, and `{rest...}` at the end captures all remaining segments",
          at: element.position)
        return nil
      } else if part.isEmpty || part.contains(where: { "{}?#".contains($0) }) {
        let remedy = if case .pattern(let capture) = ForeignSegment(part) { "; write `\(capture)`" } else { "" }
        report(
          "a segment of `path` must be literal text or `{name}`, not \(part.isEmpty ? "empty" : "`\(part)`")\(remedy)", at: element.position
        )
        return nil
      } else {
        segments.append(.literal(part))
      }
    }
    return segments
  }

  /// Parses `{name}`, `{name?}` or `{name...}`; `nil` for any other text.
  private static func capture(_ part: String) -> LinkDefinition.Segment? {
    guard part.hasPrefix("{"), part.hasSuffix("}") else { return nil }
    let text = String(part.dropFirst().dropLast())
    if text.hasSuffix("..."), NameKind.isIdentifier(String(text.dropLast(3))) { return .rest(String(text.dropLast(3))) }
    if text.hasSuffix("?"), NameKind.isIdentifier(String(text.dropLast())) { return .optional(String(text.dropLast())) }
    return NameKind.isIdentifier(text) ? .capture(text) : nil
  }

  /// Reports segments in the wrong order: a rest capture must be the last segment, and only optional segments may follow an optional
  /// segment.
  private func checkOrder(of segments: [LinkDefinition.Segment], at position: Position) {
    for (segment, next) in zip(segments, segments.dropFirst()) {
      switch (segment, next) {
      case (.rest, _): report("`\(segment.text)` matches all remaining segments, so it must be the last one", at: position)
      case (.optional, .optional): break
      case (.optional, _): report("`\(segment.text)` is optional, so it must be the last segment", at: position)
      case (.literal, _), (.capture, _): break
      }
    }
  }
}
