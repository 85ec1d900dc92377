import CairnCore
import CairnDefinition

/// Links and notifications of an app, each with the values that are worth trying.
struct LinkMoves {
  var links: [Move] = []
  var notifications: [Move] = []

  init(_ reducer: Reducer, _ palette: Palette) {
    let definition = reducer.definition
    for (place, link) in definition.links.enumerated() {
      guard let origin = link.origins.first else { continue }
      for values in palette.choices(of: link.captureTypes(in: definition), most: 16) {
        let url = origin + link.ending(with: values)
        // A link before it may take this URL.
        let taken = reducer.link(taking: url)
        links.append(Move(deed: .open(url, link: taken == place ? place : nil), words: "{ open: \(url.quoted) }"))
      }
    }
    // One that nothing suppresses is as good as its link.
    let suppressed = definition.notifications.suppress.compactMap(\.category)
    guard !definition.notifications.suppress.isEmpty, let pointer = definition.notifications.linkPointers.first else { return }
    for category in [nil] + Array(Set(suppressed)).sorted() {
      for link in Set(links.compactMap(\.link)).sorted() {
        guard let move = links.first(where: { $0.link == link }), case .open(let url, _) = move.deed else { continue }
        var payload = Value.object([:])
        payload.set(.string(url), at: pointer.members)
        if let category, let place = definition.notifications.categoryPointers.first {
          payload.set(.string(category), at: place.members)
        }
        let action = definition.notifications.action(for: payload, tap: true, appState: .background)
        notifications.append(Move(deed: .action(action), words: "{ notification: \(payload.words) }"))
      }
    }
  }
}

extension Move {
  /// The link whose URL is opened, by its place in the definition.
  var link: Int? { if case .open(_, let link) = deed { link } else { nil } }
}

extension String {
  /// The members that a JSON Pointer leads through.
  fileprivate var members: [String] { dropFirst().split(separator: "/").map(String.init) }
}

extension LinkDefinition.Segment {
  /// What it captures is called so; nil: it captures nothing.
  fileprivate var name: String? {
    switch self {
    case .literal: nil
    case .capture(let name), .optional(let name), .rest(let name): name
    }
  }
}

extension LinkDefinition {
  /// What its captures are read as: the params that take them as they are; those of its query may be left out where the param may.
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

  /// The path and the query with these values.
  fileprivate func ending(with values: [String: Value]) -> String {
    let segments = path.map { segment in
      switch segment {
      case .literal(let text): "/" + PercentCoding.encode(text)
      case .capture(let name), .rest(let name): "/" + PercentCoding.encode(values[name]?.shortText ?? "")
      case .optional(let name): values[name].map { "/" + PercentCoding.encode($0.shortText) } ?? ""
      }
    }
    let items = query.compactMap { name in
      values[name].map { "\(PercentCoding.encode(name))=\(PercentCoding.encode($0.shortText))" }
    }
    return segments.joined() + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }
}
