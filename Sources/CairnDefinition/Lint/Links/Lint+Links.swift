import CairnCore

extension Lint {
  /// Reports links whose URLs are all matched by earlier links.
  func shadowedLinks() -> [Finding] {
    var before = LinksBefore()
    return definition.links.indices.compactMap { index in
      let link = definition.links[index]
      let origins = link.origins
      let shapes = link.shapes(in: definition)
      let takers = origins.flatMap { origin in shapes.map { before.taker(of: $0, at: origin) } }
      // A link that may reject a URL because of its query or its condition leaves such URLs to later links.
      if link.when == nil, !link.isChoosyOfQuery(in: definition) {
        for origin in origins { for shape in shapes { before.add(index, shape, at: origin) } }
      }
      let found = Set(takers.compactMap(\.self)).sorted()
      guard !takers.isEmpty, takers.allSatisfy({ $0 != nil }) else { return nil }
      let which = subject(found.map { places.member("path", of: $0, in: "links") }, of: places.member("path", of: index, in: "links"))
      let hint = found.contains { definition.links[$0].path.last?.isRest == true } ? "; put a link that ends with `{name...}` last" : ""
      return Finding(
        position: places.member("path", of: index, in: "links"), message: "this link never matches: \(which) all its URLs first\(hint)")
    }
  }

  /// The links at these positions as the subject of a sentence about the link at `position`.
  private func subject(_ found: [Position], of position: Position) -> String {
    if found.count == 1 { return "the link \(found[0].words(besides: position, "in")) matches" }
    guard found.allSatisfy({ $0.file == position.file }) else {
      return "the links at \(found.map { $0.text(in: "") }.joined(separator: ", ")) match"
    }
    return "the links in lines \(found.map { "\($0.line)" }.joined(separator: ", ")) match"
  }
}

extension LinkDefinition.Segment {
  fileprivate var isRest: Bool { if case .rest = self { true } else { false } }
}
