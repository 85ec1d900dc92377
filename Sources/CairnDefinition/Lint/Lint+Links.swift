import CairnCore

extension Lint {
  /// Links all of whose URLs are taken by those before them.
  func shadowedLinks() -> [Finding] {
    var before = LinksBefore()
    return definition.links.indices.compactMap { index in
      let link = definition.links[index]
      let origins = link.origins
      let takers = origins.map { before.taker(of: link.path, at: $0) }
      for origin in origins { before.add(index, path: link.path, at: origin) }
      let found = Set(takers.compactMap(\.self)).sorted()
      guard !takers.isEmpty, takers.allSatisfy({ $0 != nil }) else { return nil }
      let lines = found.map { String(places.member("path", of: $0, in: "links").line) }
      let which = lines.count == 1 ? "line \(lines[0]) takes" : "lines \(lines.joined(separator: ", ")) take"
      return Finding(
        position: places.member("path", of: index, in: "links"), message: "no URL comes to this link: \(which) them all before it")
    }
  }
}
