import CairnCore

extension Lint {
  /// Reports links whose path no URL can contain, or whose path has the syntax of another router.
  func foreignPaths() -> [Finding] {
    definition.links.indices.compactMap { index in
      let link = definition.links[index]
      guard let why = link.path.lazy.compactMap({ segment in segment.literal.flatMap { why($0) } }).first else { return nil }
      return Finding(position: places.member("path", of: index, in: "links"), message: "\(why); write `\(rightForm(of: link.path))`")
    }
  }

  private func why(_ literal: String) -> String? {
    switch ForeignSegment(literal) {
    case nil: nil
    case .dots: "no URL can match the segment `\(literal)`: URLs are normalized before they are compared with the path"
    case .escaped: "no URL can match the segment `\(literal)`: escapes are decoded before the path is compared"
    case .pattern: "a path does not support wildcards such as `\(literal)`"
    }
  }

  /// The corrected path.
  private func rightForm(of path: [LinkDefinition.Segment]) -> String {
    var segments: [String] = []
    for segment in path {
      switch segment.literal.flatMap(ForeignSegment.init) {
      case nil: segments.append(segment.text)
      case .dots: if segment.literal == ".." { _ = segments.popLast() }
      case .escaped(let decoded): segments.append(decoded)
      case .pattern(let capture): segments.append(capture)
      }
    }
    return segments.isEmpty ? "/" : segments.map { "/\($0)" }.joined()
  }
}

extension LinkDefinition.Segment {
  fileprivate var literal: String? { if case .literal(let text) = self { text } else { nil } }
}
