import CairnCore

extension Lint {
  /// Links all of whose URLs are taken by those before them.
  func shadowedLinks() -> [Finding] {
    definition.links.indices.compactMap { index in
      let link = definition.links[index]
      let takers = link.origins.map { origin in
        definition.links[..<index].firstIndex { $0.origins.contains(origin) && $0.path.takes(link.path) }
      }
      let found = Set(takers.compactMap(\.self)).sorted()
      guard !takers.isEmpty, takers.allSatisfy({ $0 != nil }) else { return nil }
      let lines = found.map { String(places.member("path", of: $0, in: "links").line) }
      let which = lines.count == 1 ? "line \(lines[0]) takes" : "lines \(lines.joined(separator: ", ")) take"
      return Finding(
        position: places.member("path", of: index, in: "links"), message: "no URL comes to this link: \(which) them all before it")
    }
  }
}

extension [LinkDefinition.Segment] {
  /// Whether every path that fits the other pattern fits this one.
  fileprivate func takes(_ other: Self) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy { mine, its in
        if case .capture = mine { true } else { mine == its }
      }
  }
}
