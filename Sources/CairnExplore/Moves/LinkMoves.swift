import CairnAPI
import CairnCore
import CairnDefinition

/// The moves that open an app's links and notifications, with the values to try.
struct LinkMoves {
  private(set) var links: [Move] = []
  private(set) var notifications: [Move] = []
  private(set) var doubts: [Doubt] = []

  init(_ reducer: Reducer, _ palette: Palette) {
    let definition = reducer.definition
    for (place, link) in definition.links.enumerated() {
      guard let origin = link.origins.first else { continue }
      let picks = palette.choices(of: link.captureTypes(in: definition), most: 16)
      if !picks.isWhole {
        doubts.append(Doubt("the link \(link.pathText): conditions read more than 16 combinations of its captures' values"))
      }
      for values in picks.all {
        guard let url = link.ending(with: values).map({ origin + $0 }) else { continue }
        // An earlier link may match this URL.
        let taken = reducer.definition.link(taking: url)
        links.append(Move(deed: .open(url, link: taken == place ? place : nil), words: "{ open: \(YAMLText.quoted(url)) }"))
      }
    }
    // Also tries a path that no link should match, and values of the wrong type. A later link may match such a URL.
    let origins = definition.links.flatMap(\.origins)
    for origin in Set(origins).sorted() {
      let url = origin + "/no/such/place"
      links.append(Move(deed: .open(url, link: reducer.definition.link(taking: url)), words: "{ open: \(YAMLText.quoted(url)) }"))
    }
    for link in definition.links {
      let types = link.captureTypes(in: definition)
      guard let origin = link.origins.first, types.values.contains(where: { [.integer, .number, .boolean].contains($0.kind) }) else {
        continue
      }
      guard let url = link.ending(with: types.mapValues { _ in palette.strings[0] }).map({ origin + $0 }) else { continue }
      links.append(Move(deed: .open(url, link: reducer.definition.link(taking: url)), words: "{ open: \(YAMLText.quoted(url)) }"))
    }
    let messages = NotificationMoves(definition, palette, links: links)
    notifications = messages.moves
    doubts += messages.doubts
  }
}

extension Move {
  /// The index of the link whose URL the move opens; `nil` for any other move.
  var link: Int? { if case .open(_, let link) = deed { link } else { nil } }
}

extension LinkDefinition {
  /// The types of the link's captures, which are the types of the params that receive them unchanged. A capture that a URL may omit is
  /// optional if its param is optional.
  fileprivate func captureTypes(in definition: Definition) -> [String: ParameterDefinition] {
    var names = query
    names += path.compactMap(\.name)
    var types: [String: ParameterDefinition] = [:]
    for name in names { types[name] = ParameterDefinition(.string) }
    for template in steps {
      for (param, expression) in template.with {
        guard case .reference(.param(let capture)) = expression, let type = definition.steps[template.step]?.params[param] else { continue }
        types[capture] = type
      }
    }
    for segment in path { if case .capture(let name) = segment { types[name]?.isOptional = false } }
    return types
  }

  /// The path and query with these values; `nil` if a value cannot be a path segment.
  fileprivate func ending(with values: [String: Value]) -> String? {
    var segments: [String] = []
    for segment in path {
      switch segment {
      case .literal(let text): segments.append(PercentCoding.encode(text))
      case .rest(let name): segments.append(PercentCoding.encode(values[name]?.shortText ?? ""))
      case .optional(let name) where values[name] == nil: break
      case .capture(let name), .optional(let name):
        guard let segment = PathSegment.encode(values[name]?.shortText ?? "") else { return nil }
        segments.append(segment)
      }
    }
    let items = query.compactMap { name in
      values[name].map { "\(PercentCoding.encode(name))=\(PercentCoding.encode($0.shortText))" }
    }
    return segments.map { "/" + $0 }.joined() + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }
}
